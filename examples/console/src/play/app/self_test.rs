//! The self-test: one phone alone decodes its own packets, which shows its speaker, its microphone and its band.

use link_rig::RigLink;
use link_transport::{FrameBits, LinkTime, LinkTransport, OutFrame};

/// What is sent: any bits will do, they come back to the same phone.
const WORDS: &[u8] = b"self-test";

/// A phone that listens to itself.
pub struct SelfTest {
    /// The link, tuned to the phone's own band.
    pub link: RigLink,
    /// Since when.
    pub since: LinkTime,
    /// The newest packet's signal-to-noise ratio.
    pub snr_db: Option<f32>,
}

impl SelfTest {
    /// Starts sending.
    pub fn new(mut link: RigLink, now: LinkTime) -> Self {
        link.send(&[OutFrame {
            bits: FrameBits::from_bytes(WORDS, 8 * WORDS.len()),
            key: 1,
            keyed: false,
        }]);
        Self {
            link,
            since: now,
            snr_db: None,
        }
    }

    /// Hears what there is.
    pub fn tick(&mut self, now: LinkTime) {
        while self.link.poll(now).is_some() {}
        self.snr_db = self.link.stats().snr_db.or(self.snr_db);
    }
}
