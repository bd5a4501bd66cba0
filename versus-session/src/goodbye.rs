//! Leaving before a match began: from GO on, the peer may be waiting for this phone and must be told.

use alloc::boxed::Box;
use core::time::Duration;
use link_transport::{LinkTime, OutFrame};
use match_feed::WorldHash;
use versus_codec::OpaqueCodec;
use versus_lockstep::{Leave, Lockstep, LockstepConfig, LockstepError};
use versus_pairing::Agreed;

/// How long end frames go out before the link may close. Source: the specification's "Leaving".
pub(crate) const FAREWELL: Duration = Duration::from_secs(2);

/// A stand-in lockstep that is never stepped: a frame of no commands is the same bits under every codec.
#[derive(Debug)]
pub(crate) struct Goodbye {
    stand_in: Option<Box<Lockstep<OpaqueCodec>>>,
    since: LinkTime,
}

impl Goodbye {
    /// Before this phone's GO there is nothing to tell.
    pub(crate) const fn silent(since: LinkTime) -> Self {
        Self {
            stand_in: None,
            since,
        }
    }

    pub(crate) fn telling(
        agreed: &Agreed,
        leave: Leave,
        capacity_bits: usize,
        packet_ms: u32,
        since: LinkTime,
    ) -> Result<Self, LockstepError> {
        let config = LockstepConfig::new(agreed.local_side(), agreed.delay, WorldHash(0))
            .with_capacity_bits(capacity_bits)
            .with_packet_ms(packet_ms);
        let mut stand_in = Lockstep::new(config, OpaqueCodec)?;
        stand_in.leave(leave);
        Ok(Self {
            stand_in: Some(Box::new(stand_in)),
            since,
        })
    }

    pub(crate) fn set_rxq(&mut self, rxq: u8) {
        if let Some(stand_in) = &mut self.stand_in {
            stand_in.set_rxq(rxq);
        }
    }

    pub(crate) fn poll_frames(&mut self) -> Option<&[OutFrame]> {
        self.stand_in.as_mut()?.poll_frames()
    }

    pub(crate) fn is_said(&self, now: LinkTime) -> bool {
        self.stand_in.is_none() || now.since(self.since) >= FAREWELL
    }
}
