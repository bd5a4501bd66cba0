//! The ends of a rig while a check runs: who is whose peer, and what each has heard. Judges what holds at every moment.

use super::{Broken, Rig};
use crate::{DownReason, Lane, NetEvent, PeerId, SendResult};
use alloc::{boxed::Box, format, string::String, vec, vec::Vec};

/// How often the check polls.
pub(super) const STEP_US: u64 = 2_000;
/// More events than this without time passing, and a transport never comes to an end.
const EVENTS_MAX: usize = 100_000;

pub(super) fn broken<T>(rule: u8, why: impl Into<String>) -> Result<T, Broken> {
    Err(Broken {
        rule,
        why: why.into(),
    })
}

/// A message heard.
#[derive(Debug)]
pub(super) struct Heard {
    pub at: usize,
    pub from: usize,
    pub lane: Lane,
    pub bytes: Vec<u8>,
    pub time_us: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Known {
    Up,
    Down,
}

pub(super) struct Crew {
    rig: Box<dyn Rig>,
    /// Of each end: the peers it was told of.
    known: Vec<Vec<(PeerId, Known)>>,
    /// Of each end: how it numbers each other end.
    pub peers: Vec<Vec<Option<PeerId>>>,
    pub heard: Vec<Heard>,
    pub downs: Vec<(usize, PeerId, DownReason)>,
    /// Polls an end only when its `next_wake` is due or bytes have come.
    pub lazy: bool,
}

impl Crew {
    /// Polls until everybody is up and has said who it is (rule 1).
    pub fn meet(rig: Box<dyn Rig>, lazy: bool) -> Result<Self, Broken> {
        let ends = rig.ends();
        let mut crew = Self {
            rig,
            known: vec![Vec::new(); ends],
            peers: vec![vec![None; ends]; ends],
            heard: Vec::new(),
            downs: Vec::new(),
            lazy,
        };
        crew.strangers()?;
        crew.until(1, 10_000_000, "not everybody is up", |crew| {
            crew.known.iter().all(|known| known.len() == ends - 1)
        })?;
        for at in 0..ends {
            for place in 0..ends - 1 {
                let peer = crew.known[at][place].0;
                crew.put(3, at, peer, Lane::Reliable, &[at as u8])?;
            }
        }
        crew.until(
            3,
            10_000_000,
            "the first reliable messages do not arrive",
            |crew| crew.peers.iter().flatten().flatten().count() == ends * (ends - 1),
        )?;
        Ok(crew)
    }

    /// Rule 10: nobody is up before anything was polled.
    fn strangers(&mut self) -> Result<(), Broken> {
        for at in 0..self.rig.ends() {
            let nobody = PeerId(u32::MAX);
            for lane in [Lane::Reliable, Lane::Fast] {
                let result = self.send_to(at, nobody, lane, b"?");
                if result != SendResult::Gone {
                    return broken(10, format!("a stranger was sent to: {result:?}"));
                }
            }
            let now = self.rig.now(at);
            self.rig.end(at).disconnect(now, nobody);
            if self.rig.end(at).is_up(nobody) {
                return broken(10, "a stranger is up");
            }
        }
        Ok(())
    }

    pub fn ends(&self) -> usize {
        self.rig.ends()
    }

    pub fn end(&mut self, at: usize) -> &mut dyn crate::NetTransport {
        self.rig.end(at)
    }

    pub fn peer(&self, at: usize, of: usize) -> PeerId {
        self.peers[at][of].expect("everybody has met")
    }

    /// The one clock that everything here is measured on.
    pub fn time_us(&mut self) -> u64 {
        self.rig.now(0).as_us()
    }

    pub fn disconnect(&mut self, at: usize, peer: PeerId) {
        let now = self.rig.now(at);
        self.rig.end(at).disconnect(now, peer);
    }

    pub fn send_to(&mut self, at: usize, peer: PeerId, lane: Lane, bytes: &[u8]) -> SendResult {
        let now = self.rig.now(at);
        self.rig.end(at).send(now, peer, lane, bytes)
    }

    pub fn send(&mut self, at: usize, to: usize, lane: Lane, bytes: &[u8]) -> SendResult {
        self.send_to(at, self.peer(at, to), lane, bytes)
    }

    /// Sends, waiting while the lane is full.
    pub fn put(
        &mut self,
        rule: u8,
        at: usize,
        peer: PeerId,
        lane: Lane,
        bytes: &[u8],
    ) -> Result<(), Broken> {
        for _ in 0..5_000 {
            match self.send_to(at, peer, lane, bytes) {
                SendResult::Sent => return Ok(()),
                SendResult::Full => self.step()?,
                result => {
                    return broken(rule, format!("{lane:?}, {} bytes: {result:?}", bytes.len()));
                }
            }
        }
        broken(7, format!("{lane:?} has been full for ten seconds"))
    }

    pub fn run(&mut self, us: u64) -> Result<(), Broken> {
        let until_us = self.time_us() + us;
        while self.time_us() < until_us {
            self.step()?;
        }
        Ok(())
    }

    /// Runs until `done`, `limit_us` at most.
    pub fn until(
        &mut self,
        rule: u8,
        limit_us: u64,
        why: &str,
        done: impl Fn(&Self) -> bool,
    ) -> Result<(), Broken> {
        let until_us = self.time_us() + limit_us;
        while !done(self) {
            if self.time_us() > until_us {
                return broken(if self.lazy { 2 } else { rule }, why);
            }
            self.step()?;
        }
        Ok(())
    }

    pub fn step(&mut self) -> Result<(), Broken> {
        self.rig.pass(STEP_US);
        let time_us = self.time_us();
        for at in 0..self.rig.ends() {
            let now = self.rig.now(at);
            let wake = self.rig.end(at).next_wake().is_some_and(|wake| wake <= now);
            if self.lazy && !wake && !self.rig.heard(at) {
                continue;
            }
            let mut events = 0;
            while let Some(event) = self.rig.end(at).poll(now) {
                events += 1;
                if events > EVENTS_MAX {
                    return broken(2, "poll never comes to None");
                }
                let known = &mut self.known[at];
                match event {
                    NetEvent::PeerUp { peer } => {
                        if known.iter().any(|known| known.0 == peer) {
                            return broken(1, format!("{peer:?} came up twice"));
                        }
                        known.push((peer, Known::Up));
                    }
                    NetEvent::PeerDown { peer, reason } => {
                        let Some(entry) = known.iter_mut().find(|known| known.0 == peer) else {
                            return broken(1, format!("{peer:?} went down unheard of: {reason:?}"));
                        };
                        if entry.1 == Known::Down {
                            return broken(11, format!("{peer:?} went down twice: {reason:?}"));
                        }
                        entry.1 = Known::Down;
                        self.downs.push((at, peer, reason));
                    }
                    NetEvent::Message { peer, lane, bytes } => {
                        match known.iter().find(|known| known.0 == peer) {
                            None => {
                                return broken(
                                    1,
                                    format!("a message of {peer:?} before it was up"),
                                );
                            }
                            Some((_, Known::Down)) => {
                                return broken(
                                    11,
                                    format!("a message of {peer:?} after it was down"),
                                );
                            }
                            Some(_) => {}
                        }
                        if let Some(from) =
                            self.peers[at].iter().position(|known| *known == Some(peer))
                        {
                            let bytes = bytes.to_vec();
                            self.heard.push(Heard {
                                at,
                                from,
                                lane,
                                bytes,
                                time_us,
                            });
                        } else {
                            let from = usize::from(bytes.first().copied().unwrap_or(u8::MAX));
                            if lane != Lane::Reliable
                                || bytes.len() != 1
                                || from >= self.peers.len()
                                || from == at
                            {
                                return broken(
                                    3,
                                    format!("{peer:?} said {bytes:?} instead of its name"),
                                );
                            }
                            self.peers[at][from] = Some(peer);
                        }
                    }
                }
            }
            for place in 0..self.known[at].len() {
                let (peer, known) = self.known[at][place];
                if self.rig.end(at).is_up(peer) != (known == Known::Up) {
                    return broken(10, format!("is_up({peer:?}) against what was told"));
                }
            }
        }
        Ok(())
    }

    /// How many times `at` was told that its peer `of` is down, and the last reason.
    pub fn down(&self, at: usize, of: usize) -> Option<DownReason> {
        let peer = self.peer(at, of);
        let told = |down: &&(usize, PeerId, DownReason)| (down.0, down.1) == (at, peer);
        self.downs.iter().find(told).map(|down| down.2)
    }
}

/// A message that knows itself: a number, and bytes that follow from it. Shorter than 4 bytes: no number.
pub(super) fn message(number: u32, length: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length);
    let mut state = number;
    bytes.extend(number.to_le_bytes().into_iter().take(length));
    while bytes.len() < length {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        bytes.push((state >> 24) as u8);
    }
    bytes
}

/// The number of an undamaged message.
pub(super) fn number(bytes: &[u8]) -> Option<u32> {
    let number = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?);
    (message(number, bytes.len()) == bytes).then_some(number)
}
