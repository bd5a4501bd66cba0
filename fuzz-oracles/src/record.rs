//! Battle records: any text is read or refused, and what is read is written back the same.

use game_sim::Command;
use match_feed::duel::BattleRecord;

/// A record's text, or, after a first byte that is odd, a text whose check is not compared.
pub fn battle_record(data: &[u8]) {
    let Some((&head, text)) = data.split_first() else {
        return;
    };
    let Ok(text) = core::str::from_utf8(text) else {
        return;
    };
    let read = if head & 1 == 0 {
        BattleRecord::<Command>::parse(text)
    } else {
        BattleRecord::<Command>::parse_unchecked(text)
    };
    if let Ok(record) = read {
        let again = BattleRecord::<Command>::parse(&record.to_json())
            .expect("a record that was read can be written");
        assert_eq!(again, record);
    }
}
