//! Input logs and desync bundles: any bytes are read or refused, and what is read is written back the same.

use match_feed::{DesyncBundle, InputLog, WorldHash, compare_bundles, replay_inputs};

/// Digests behind the bytes.
const CHECK_BYTES: usize = 8;

/// A log's bytes, or, after a first byte that is odd, bytes whose digest is made right.
pub fn input_log(data: &[u8]) {
    let Some(file) = file(data) else { return };
    if let Ok(log) = InputLog::decode(&file) {
        assert_eq!(log.encode(), file, "one log has one form");
        let (ticks, mut stepped) = (log.inputs().end().0, 0);
        // A day of silence is a legal log; stepping through it here would teach nothing.
        if ticks < 100_000 {
            replay_inputs(&log, WorldHash(0), |inputs| {
                assert_eq!(inputs.len(), usize::from(log.played().seats));
                stepped += 1;
                WorldHash(0)
            });
            assert_eq!(stepped, ticks);
        }
    }
}

/// A bundle's bytes, or, after a first byte that is odd, bytes whose digest is made right.
pub fn desync_bundle(data: &[u8]) {
    let Some(file) = file(data) else { return };
    if let Ok(bundle) = DesyncBundle::decode(&file) {
        assert_eq!(bundle.encode(), file, "one bundle has one form");
        if bundle.inputs.end().0 - bundle.inputs.from().0 < 100_000 {
            let same = compare_bundles(&bundle, &bundle);
            assert_eq!(
                (same.other_match, same.inputs, same.worlds),
                (None, None, None)
            );
        }
    }
}

fn file(data: &[u8]) -> Option<Vec<u8>> {
    let (head, file) = data.split_first()?;
    let mut file = file.to_vec();
    if head & 1 == 1 {
        let body = file.len().checked_sub(CHECK_BYTES)?;
        let check = WorldHash::of(&file[..body]).0.to_le_bytes();
        file[body..].copy_from_slice(&check);
    }
    Some(file)
}
