//! A game of one's own with three seats at 60 ticks a second, played from its record. Nothing here is a duel's.

use match_feed::*;
use proptest::prelude::*;
use std::time::Duration;

/// Three runners on a ring; a pad's four bits push each one. Who has gone round `LAPS` times first wins, with all who
/// arrive in the same tick.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ring {
    runners: PerSeat<Runner>,
    tick: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Runner {
    speed: u32,
    way: u32,
}

const FINISH: u32 = 60_000;
const SEATS: u8 = 3;
/// Name, then a runner's eight bytes a seat, then the tick.
const SAVED_BYTES: usize = 3 * 8 + 4;

impl Ring {
    fn new() -> Self {
        let runners = PerSeat::from_fn(SEATS.into(), |_| Runner::default());
        Self {
            runners: runners.expect("three seats"),
            tick: 0,
        }
    }

    fn runners_bytes(&self) -> Vec<u8> {
        let words = |runner: &Runner| [runner.speed, runner.way];
        let words = self.runners.iter().flat_map(|(_, runner)| words(runner));
        words.flat_map(u32::to_le_bytes).collect()
    }

    fn bytes(&self) -> Vec<u8> {
        [&self.runners_bytes()[..], &self.tick.to_le_bytes()].concat()
    }
}

impl Game for Ring {
    type Command = u8;

    fn step(&mut self, orders: &[Order<u8>]) {
        for order in orders {
            if let Some(runner) = self.runners.get_mut(order.seat) {
                runner.speed += u32::from(order.command & 0xF);
            }
        }
        for seat in Seat::all(self.runners.seats()) {
            let runner = &mut self.runners[seat];
            runner.way += runner.speed;
            runner.speed = runner.speed * 15 / 16;
        }
        self.tick += 1;
    }

    fn hash(&self) -> WorldHash {
        WorldHash::of(&self.bytes())
    }

    fn hash_parts(&self, part: &mut dyn FnMut(&'static str, WorldHash)) {
        part("runners", WorldHash::of(&self.runners_bytes()));
        part("tick", WorldHash::of(&self.tick.to_le_bytes()));
    }

    fn outcome(&self) -> Option<Outcome> {
        let arrived = |&(_, runner): &(Seat, &Runner)| runner.way >= FINISH;
        let winners: SeatSet = self
            .runners
            .iter()
            .filter(arrived)
            .map(|(seat, _)| seat)
            .collect();
        (!winners.is_empty()).then(|| Outcome::won(winners))
    }

    fn save_into(&self, buffer: &mut [u8]) -> Result<usize, SaveError> {
        let needed = SAVED_BYTES;
        let room = buffer
            .get_mut(..needed)
            .ok_or(SaveError::TooSmall { needed })?;
        room.copy_from_slice(&self.bytes());
        Ok(needed)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), LoadError> {
        let bytes: &[u8; SAVED_BYTES] =
            saved.try_into().map_err(|_| LoadError::Damaged { at: 0 })?;
        let word = |nth: usize| u32::from_le_bytes(bytes[4 * nth..4 * nth + 4].try_into().unwrap());
        for seat in Seat::all(SEATS.into()) {
            let [speed, way] = [0, 1].map(|of| word(2 * seat.index() + of));
            self.runners[seat] = Runner { speed, way };
        }
        self.tick = word(2 * usize::from(SEATS));
        Ok(())
    }
}

fn rate() -> TickRate {
    TickRate::new(60).expect("1 to 240")
}

type Record = MatchRecord<String, u8>;

/// Plays a match to its end, each seat pressing at its own pace, and writes it down.
fn recorded() -> (Record, Ring) {
    let header = MatchHeader {
        game: "ring".into(),
        build: WorldHash(0xFFFF_0000_1234_5678),
        rate: rate(),
        seats: SEATS,
        hash_every: 60,
        setup: "three runners".to_owned(),
    };
    let mut game = Ring::new();
    let mut recorder = Recorder::new(header, game.hash());
    for tick in 0.. {
        let pressed = |seat: &Seat| tick % (2 + seat.index() as u32) == 0;
        let seats = Seat::all(SEATS.into()).filter(pressed);
        let orders: Vec<_> = seats
            .map(|seat| Order {
                seat,
                command: (tick % 16) as u8 ^ seat.index() as u8,
            })
            .collect();
        game.step(&orders);
        recorder.stepped(Tick(tick), &orders, game.hash());
        if let Some(outcome) = game.outcome() {
            return (recorder.finish(Some(outcome)), game);
        }
    }
    unreachable!()
}

#[test]
fn a_match_of_three_at_60_hz_plays_from_its_record() {
    let (record, end) = recorded();
    let text = record.to_json();
    let read = Record::parse(&text).expect("what was written reads back");
    assert_eq!(read, record);
    assert_eq!(read.to_json(), text, "the text is canonical");
    let (report, game) = replay(&read, Ring::new(), |_, _| {});
    assert!(report.agrees(), "{report:?}");
    assert_eq!(report.hashes_equal, 1 + read.ticks.0 as usize / 60);
    assert_eq!((game, report.outcome), (end, read.outcome));
    assert_eq!(read.outcome, Some(Outcome::won(Seat::FIRST)));
}

#[test]
fn its_clock_runs_60_ticks_a_second_and_its_match_ends_when_they_are_stepped() {
    let (record, end) = recorded();
    let feed = ReplayFeed::new(&record);
    let mut clock = TickClock::new(feed.rate());
    let mut running = Match::new(Ring::new(), feed);
    let mut now_us = 0;
    'playing: loop {
        now_us += 7_000; // a host that draws 143 times a second
        clock.advance(Duration::from_millis(7), 1000);
        while clock.is_due() {
            match running.step(HostTime::from_us(now_us)) {
                Step::Stepped(tick) => {
                    clock.stepped();
                    let due = rate().start_us(tick.next());
                    assert!((due..due + 7_000).contains(&now_us), "{tick} at {now_us}");
                }
                Step::Over(outcome) => {
                    assert_eq!(Some(outcome), record.outcome);
                    break 'playing;
                }
                Step::Stalled => panic!("a record stalls before its end"),
            }
        }
    }
    assert_eq!(running.tick(), record.ticks);
    assert_eq!(running.into_game(), end);
}

#[test]
fn a_world_saved_into_a_buffer_goes_on_alike() {
    let (record, end) = recorded();
    let mut slots = [[0; 64]; 2];
    let mut running = Match::new(Ring::new(), ReplayFeed::new(&record));
    for _ in 0..100 {
        running.step(HostTime::ZERO);
    }
    let length = running.game().save_into(&mut slots[1]).expect("it fits");
    assert_eq!(Some(&slots[1][..length]), running.game().save().as_deref());
    let needed = SAVED_BYTES;
    for size in 0..needed {
        let small = running.game().save_into(&mut slots[0][..size]);
        assert_eq!(small, Err(SaveError::TooSmall { needed }));
    }
    let mut other = Ring::new();
    other.load(&slots[1][..length]).expect("its own bytes");
    assert_eq!(&other, running.game());
    while let Step::Stepped(_) = running.step(HostTime::ZERO) {}
    assert_eq!(running.into_game(), end);
}

#[test]
fn the_first_part_that_differs_says_where() {
    let one = Ring::new();
    let mut other = one.clone();
    other.runners[Seat::FIRST].speed = 1;
    let parts = |game: &Ring| {
        let mut parts = Vec::new();
        game.hash_parts(&mut |name, hash| parts.push((name, hash)));
        parts
    };
    let (own, theirs) = (parts(&one), parts(&other));
    let differs: Vec<_> = own.iter().zip(&theirs).filter(|(a, b)| a != b).collect();
    assert_eq!(differs.len(), 1);
    assert_eq!(differs[0].0.0, "runners");
}

#[test]
fn a_record_that_is_no_match_is_refused() {
    let refused = |change: fn(&mut Record)| {
        let (mut record, _) = recorded();
        change(&mut record);
        Record::parse(&record.to_json()).expect_err("it was made wrong")
    };
    let seat = Seat::new(3).expect("0 to 7");
    let foreign = refused(|record| record.turns[5].1 = Seat::new(3).expect("0 to 7"));
    assert!(matches!(foreign, RecordError::NoSeat { seat: found, .. } if found == seat));
    assert_eq!(
        refused(|record| record.header.seats = 0),
        RecordError::Seats { seats: 0 }
    );
    assert_eq!(
        refused(|record| record.header.seats = 9),
        RecordError::Seats { seats: 9 }
    );
    assert_eq!(
        refused(|record| record.header.hash_every = 0),
        RecordError::NoHashes
    );
    let swapped = refused(|record| record.turns.swap(0, 1));
    assert!(
        matches!(swapped, RecordError::Order { what: "turns", .. }),
        "{swapped:?}"
    );
    let short = refused(|record| {
        record.hashes.pop();
    });
    assert!(matches!(short, RecordError::HashCount { .. }), "{short:?}");
    let hashes = refused(|record| record.header.hash_every = 61);
    assert!(
        matches!(hashes, RecordError::Order { what: "hashes", .. }),
        "{hashes:?}"
    );
}

#[test]
fn every_changed_byte_is_refused() {
    let text = recorded().0.to_json();
    for at in (0..text.trim_end().len()).step_by(3) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        if let Ok(changed) = String::from_utf8(bytes) {
            assert!(Record::parse(&changed).is_err(), "byte {at}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = Record::parse(&text);
    }

    #[test]
    fn every_rate_keeps_pace(hz in 1..=240u8, step_us in 1_000..33_000u64) {
        let rate = TickRate::new(hz).expect("1 to 240");
        let mut clock = TickClock::new(rate);
        let (mut passed, mut ticks) = (0, 0);
        while passed < 5_000_000 {
            passed += step_us;
            clock.advance(Duration::from_micros(step_us), 1000);
            while clock.is_due() {
                clock.stepped();
                ticks += 1;
            }
            prop_assert_eq!(ticks, passed * u64::from(hz) / 1_000_000);
        }
    }
}
