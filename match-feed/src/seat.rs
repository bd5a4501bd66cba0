//! Who takes part in a match, by number.

use core::{
    fmt,
    ops::{Index, IndexMut},
};
use heapless::Vec;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// The most seats a match can have.
pub const SEATS_MAX: usize = 8;

/// A place at a match, 0 to 7: whoever plays it gives its orders. Seats are the same on every machine.
///
/// ```
/// use match_feed::Seat;
/// let seat = Seat::new(2).expect("0 to 7");
/// assert_eq!(seat.index(), 2);
/// assert_eq!(Seat::new(8), None);
/// assert_eq!(Seat::all(3).map(Seat::index).collect::<Vec<_>>(), [0, 1, 2]);
/// ```
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

impl Seat {
    /// The first seat, which every match has.
    pub const FIRST: Self = Self(0);

    /// Seat `index`; `None` from [`SEATS_MAX`] on.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < SEATS_MAX {
            Some(Self(index))
        } else {
            None
        }
    }

    /// Its number, below [`SEATS_MAX`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `count` seats, lowest first: the order in which everything that must agree on all machines visits
    /// them. At most [`SEATS_MAX`].
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..count.min(SEATS_MAX) as u8).map(Self)
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.0
    }
}

impl TryFrom<u8> for Seat {
    type Error = SeatError;
    fn try_from(index: u8) -> Result<Self, SeatError> {
        Self::new(index).ok_or(SeatError { index })
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number that is no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no seat {index}: a match has seats 0 to 7")]
pub struct SeatError {
    /// The number.
    pub index: u8,
}

/// A set of seats.
///
/// ```
/// use match_feed::{Seat, SeatSet};
/// let seats = SeatSet::from_iter(Seat::all(3));
/// assert_eq!((seats.len(), seats.bits()), (3, 0b111));
/// assert!(!seats.contains(Seat::new(3).expect("0 to 7")));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatSet(u8);

impl SeatSet {
    /// No seat.
    pub const EMPTY: Self = Self(0);

    /// `seat` alone.
    #[must_use]
    pub const fn only(seat: Seat) -> Self {
        Self(1 << seat.0)
    }

    /// The set whose bit i (least significant first) stands for seat i.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Bit i (least significant first) stands for seat i.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// How many seats.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True without a seat.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if `seat` is in it.
    #[must_use]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & Self::only(seat).0 != 0
    }

    /// Adds `seat`.
    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= Self::only(seat).0;
    }

    /// Takes `seat` out.
    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !Self::only(seat).0;
    }

    /// Its seats, lowest first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        Seat::all(SEATS_MAX).filter(move |&seat| self.contains(seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = Self::EMPTY;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::index)).finish()
    }
}

/// One value for each of a match's 1 to [`SEATS_MAX`] seats. Allocates nothing.
///
/// ```
/// use match_feed::{PerSeat, Seat};
/// let mut scores = PerSeat::from_fn(3, |_| 0).expect("1 to 8 seats");
/// scores[Seat::FIRST] = 5;
/// assert_eq!(scores.iter().map(|(_, &score)| score).sum::<i32>(), 5);
/// assert_eq!(PerSeat::from_fn(9, |_| 0), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct PerSeat<T>(Vec<T, SEATS_MAX>);

impl<T> PerSeat<T> {
    /// Makes the values of `seats` seats, lowest first; `None` for no seat or more than [`SEATS_MAX`].
    #[must_use]
    pub fn from_fn(seats: usize, make: impl FnMut(Seat) -> T) -> Option<Self> {
        (1..=SEATS_MAX)
            .contains(&seats)
            .then(|| Self(Seat::all(seats).map(make).collect()))
    }

    /// How many seats, 1 to [`SEATS_MAX`].
    #[must_use]
    pub fn seats(&self) -> usize {
        self.0.len()
    }

    /// The value of `seat`; `None` if the match has no such seat.
    #[must_use]
    pub fn get(&self, seat: Seat) -> Option<&T> {
        self.0.get(seat.index())
    }

    /// The value of `seat`; `None` if the match has no such seat.
    pub fn get_mut(&mut self, seat: Seat) -> Option<&mut T> {
        self.0.get_mut(seat.index())
    }

    /// Every seat and its value, lowest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + Clone {
        Seat::all(self.0.len()).zip(&self.0)
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;
    /// # Panics
    ///
    /// If the match has no such seat.
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for PerSeat<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::deserialize(deserializer)?;
        if values.is_empty() {
            return Err(D::Error::custom("a match has 1 to 8 seats"));
        }
        Ok(Self(values))
    }
}
