//! The battle record: what was written is read back, what was changed is refused, and a replay proves it.

mod common;
use common::{Tug, recorded};
use match_feed::{duel::*, *};
use proptest::prelude::*;

type Record = BattleRecord<i32>;

#[test]
fn a_record_survives_its_text_and_replays() {
    let (record, end) = recorded();
    let text = record.to_json();
    assert_eq!(text.lines().count(), 1);
    let read = Record::parse(&text).unwrap();
    assert_eq!(read, record);
    assert_eq!(read.to_json(), text, "the text is canonical");
    assert_eq!(read.hashes.len(), 1 + read.end.ticks.0 as usize / 100);
    let (report, game) = replay(&read, Tug::default(), |_, _| {});
    assert!(report.agrees(), "{report:?}");
    assert_eq!(
        (report.hashes_equal, report.ticks),
        (read.hashes.len(), read.end.ticks)
    );
    assert_eq!(game, end);
}

#[test]
fn the_last_field_is_the_digest_of_everything_before_it() {
    let text = recorded().0.to_json();
    let (before, check) = text.rsplit_once(",\"check\":\"").unwrap();
    assert_eq!(
        check.trim_end(),
        format!("{}\"}}", WorldHash::of(before.as_bytes()))
    );
}

#[test]
fn every_changed_byte_is_refused() {
    let text = recorded().0.to_json();
    for at in 0..text.trim_end().len() {
        for bit in [0, 3, 6] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert!(Record::parse(&changed).is_err(), "byte {at} of {text}");
            }
        }
    }
}

#[test]
fn a_changed_order_is_found_at_the_first_checkpoint_that_differs() {
    let (mut record, _) = recorded();
    let turn = record
        .turns
        .iter_mut()
        .find(|turn| turn.0 >= Tick(130))
        .unwrap();
    turn.2[0] ^= 1;
    let read = Record::parse_unchecked(&record.to_json()).unwrap();
    let (report, _) = replay(&read, Tug::default(), |_, _| {});
    assert_eq!(report.difference.map(|found| found.tick), Some(Tick(200)));
    assert_eq!(report.hashes_equal, 2);
}

#[test]
fn a_record_cut_short_does_not_agree() {
    let (mut record, _) = recorded();
    record.end.ticks = Tick(record.end.ticks.0 - 1);
    let (report, _) = replay(&record, Tug::default(), |_, _| {});
    assert!(!report.end_agrees);
}

#[test]
fn refusals_say_why() {
    let (record, _) = recorded();
    let text = record.to_json();
    assert_eq!(Record::parse("{}"), Err(RecordError::NoCheck));
    assert!(matches!(
        Record::parse(&text.replace("\"tug\"", "\"rug\"")),
        Err(RecordError::Changed { .. })
    ));
    let later = text.replacen("\"v\":1", "\"v\":2", 1);
    assert_eq!(
        Record::parse_unchecked(&later),
        Err(RecordError::Version { found: 2, reads: 1 })
    );
    let unknown = text.replacen("\"v\":1", "\"v\":1,\"w\":1", 1);
    assert!(
        matches!(Record::parse_unchecked(&unknown), Err(RecordError::Malformed(why)) if why.contains("unknown field"))
    );
    let mut backwards = record.clone();
    backwards.turns.reverse();
    let backwards = Record::parse(&backwards.to_json());
    assert!(
        matches!(backwards, Err(RecordError::Order { what: "turns", .. })),
        "{backwards:?}"
    );
    let mut missing = record.clone();
    missing.hashes.remove(1);
    let missing = Record::parse(&missing.to_json());
    assert!(
        matches!(missing, Err(RecordError::Order { what: "hashes", .. })),
        "{missing:?}"
    );
}

#[test]
fn there_are_as_many_hashes_as_the_ticks_come_with() {
    let (record, _) = recorded();
    let (expected, ticks) = (record.hashes.len(), record.end.ticks);
    let refused = |change: fn(&mut Record)| {
        let mut changed = record.clone();
        change(&mut changed);
        (changed.hashes.len(), Record::parse(&changed.to_json()))
    };
    let changes: [fn(&mut Record); 3] = [
        |record| record.hashes.clear(),
        |record| record.hashes.truncate(record.hashes.len() - 1),
        |record| {
            let &(tick, hash) = record.hashes.last().unwrap();
            record.hashes.push((Tick(tick.0 + 100), hash));
        },
    ];
    for change in changes {
        let (found, read) = refused(change);
        let why = RecordError::HashCount {
            found,
            expected,
            ticks,
        };
        assert_eq!(read, Err(why));
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = Record::parse(&text);
        let _ = Record::parse_unchecked(&text);
    }
}
