//! Seats and tick rates take what they say they take, and a tick's start never drifts.

use match_feed::{PerSeat, SEATS_MAX, Seat, SeatSet, Tick, TickRate};
use proptest::prelude::*;

#[test]
fn a_seat_is_0_to_7_also_in_a_text() {
    for index in 0..=u8::MAX {
        let seat = Seat::new(index);
        assert_eq!(seat.is_some(), usize::from(index) < SEATS_MAX);
        assert_eq!(seat.map(u8::from), Seat::try_from(index).ok().map(u8::from));
        let text = index.to_string();
        assert_eq!(seat, serde_json::from_str(&text).ok());
        if let Some(seat) = seat {
            assert_eq!(serde_json::to_string(&seat).expect("a number"), text);
        }
    }
}

#[test]
fn a_seat_too_many_is_refused_wherever_seats_are_counted() {
    assert_eq!(Seat::all(usize::MAX).count(), SEATS_MAX);
    for seats in [0, SEATS_MAX + 1, usize::MAX] {
        assert_eq!(PerSeat::from_fn(seats, |_| ()), None);
    }
    let values = |count: usize| serde_json::to_string(&vec![7; count]).expect("numbers");
    for count in 0..12 {
        let read = serde_json::from_str::<PerSeat<i32>>(&values(count)).ok();
        assert_eq!(read, PerSeat::from_fn(count, |_| 7));
        assert_eq!(read.is_some(), (1..=SEATS_MAX).contains(&count));
    }
}

#[test]
fn a_tick_rate_is_1_to_240_also_in_a_text() {
    for hz in 0..=u8::MAX {
        let rate = TickRate::new(hz);
        assert_eq!(rate.is_some(), (1..=240).contains(&hz));
        assert_eq!(rate, TickRate::try_from(hz).ok());
        assert_eq!(rate, serde_json::from_str(&hz.to_string()).ok());
    }
}

proptest! {
    #[test]
    fn a_set_of_seats_holds_what_was_put_in(bits: u8, more in 0..8u8) {
        let seat = Seat::new(more).expect("0 to 7");
        let mut set = SeatSet::from_bits(bits);
        prop_assert_eq!(SeatSet::from_iter(set.iter()), set);
        prop_assert_eq!(set.iter().count(), set.len());
        prop_assert_eq!(set.is_empty(), bits == 0);
        set.insert(seat);
        prop_assert!(set.contains(seat));
        set.remove(seat);
        prop_assert!(!set.contains(seat));
        prop_assert_eq!(set.bits(), bits & !(1 << more));
    }

    #[test]
    fn whole_seconds_start_exactly(hz in 1..=240u8, seconds in 0..=4_000_000u32) {
        let rate = TickRate::new(hz).expect("1 to 240");
        prop_assert_eq!(rate.start_us(Tick(seconds * u32::from(hz))), u64::from(seconds) * 1_000_000);
    }

    #[test]
    fn a_tick_runs_from_its_start_to_the_next_ones(hz in 1..=240u8, tick in 0..u32::MAX) {
        let rate = TickRate::new(hz).expect("1 to 240");
        let (start, next) = (rate.start_us(Tick(tick)), rate.start_us(Tick(tick).next()));
        prop_assert_eq!(rate.tick_at(start), Tick(tick));
        prop_assert_eq!(rate.tick_at(next - 1), Tick(tick));
        prop_assert_eq!(rate.tick_at(next), Tick(tick).next());
        let floor = 1_000_000 / u64::from(hz);
        prop_assert!((floor..=floor + 1).contains(&(next - start)));
    }
}

#[test]
fn the_end_of_all_ticks_is_not_passed() {
    assert_eq!(TickRate::MAX.tick_at(u64::MAX), Tick(u32::MAX));
    assert_eq!(
        TickRate::MIN.start_us(Tick(u32::MAX)),
        4_294_967_295_000_000
    );
}
