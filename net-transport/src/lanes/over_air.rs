//! [`DatagramLanes`] over the bare datagrams of a [`NetEnd`]: what UDP is to be, in virtual time.

use super::{DatagramLanes, LanesEvent};
use crate::{
    Carrier, DownReason, Lane, NetEnd, NetEvent, NetTime, NetTransport, PeerId, SendResult,
};
use alloc::vec::Vec;

/// An end of a [`crate::NetAir`] whose lanes are made of datagrams, as over UDP: the air's damage, duplicates and
/// reordering reach the lanes themselves. The air's own reliable lane is not used.
#[derive(Debug)]
pub struct LanesEnd {
    end: NetEnd,
    token: u32,
    /// The air's peers, and what each is called here now.
    lines: Vec<Line>,
    numbers: u32,
    datagram: Vec<u8>,
    /// The line that spoke last, and what it said: handed out from its lanes.
    next_line: usize,
}

#[derive(Debug)]
struct Line {
    below: PeerId,
    peer: PeerId,
    lanes: DatagramLanes,
    up: bool,
}

impl LanesEnd {
    /// Lanes over `end`, whose process is known by `token`; each peer sees a token of its own.
    #[must_use]
    pub fn new(end: NetEnd, token: u32) -> Self {
        Self {
            end,
            token,
            lines: Vec::new(),
            numbers: 0,
            datagram: Vec::new(),
            next_line: 0,
        }
    }

    /// How the peer is called here that the air below numbers `below`, if it is up.
    #[must_use]
    pub fn peer(&self, below: PeerId) -> Option<PeerId> {
        let line = self
            .lines
            .iter()
            .find(|line| line.below == below && line.up)?;
        Some(line.peer)
    }

    fn line(&mut self, peer: PeerId) -> Option<&mut Line> {
        self.lines
            .iter_mut()
            .find(|line| line.peer == peer && line.up)
    }

    /// Takes one datagram or connection from below; false when there is none.
    fn receive(&mut self, now: NetTime) -> bool {
        match self.end.poll(now) {
            None => return false,
            Some(NetEvent::PeerUp { peer: below }) => {
                let token = self.token ^ (below.0 + 1).wrapping_mul(0x85EB_CA6B);
                self.lines.push(Line {
                    below,
                    peer: PeerId(u32::MAX),
                    lanes: DatagramLanes::new(token),
                    up: false,
                });
            }
            Some(NetEvent::PeerDown { peer: below, .. }) => {
                for line in self.lines.iter_mut().filter(|line| line.below == below) {
                    line.lanes.end(now, DownReason::Lost);
                }
            }
            Some(NetEvent::Message {
                peer: below, bytes, ..
            }) => {
                if let Some(line) = self.lines.iter_mut().find(|line| line.below == below) {
                    // What is damaged is lost.
                    let _ = line.lanes.handle_datagram(now, bytes);
                }
            }
        }
        true
    }

    fn transmit(&mut self, now: NetTime) {
        for line in &mut self.lines {
            while line.lanes.poll_transmit(now, &mut self.datagram) {
                let _ = self.end.send_datagram(now, line.below, &self.datagram);
            }
        }
    }

    /// What the next line that has something says: its place, and an event without its bytes.
    fn next_told(&mut self, now: NetTime) -> Option<(usize, Option<NetEvent<'static>>)> {
        for _ in 0..self.lines.len() {
            let at = self.next_line % self.lines.len();
            let line = &mut self.lines[at];
            match line.lanes.poll(now) {
                None => self.next_line += 1,
                Some(LanesEvent::Up) => {
                    line.peer = PeerId(self.numbers);
                    line.up = true;
                    self.numbers += 1;
                    return Some((at, Some(NetEvent::PeerUp { peer: line.peer })));
                }
                Some(LanesEvent::Down(reason)) => {
                    let was_up = core::mem::replace(&mut line.up, false);
                    if was_up || reason == DownReason::Local {
                        return Some((
                            at,
                            Some(NetEvent::PeerDown {
                                peer: line.peer,
                                reason,
                            }),
                        ));
                    }
                }
                Some(LanesEvent::Message { .. }) => return Some((at, None)),
            }
        }
        None
    }
}

impl NetTransport for LanesEnd {
    fn carrier(&self) -> Carrier {
        Carrier::Datagram
    }

    fn poll(&mut self, now: NetTime) -> Option<NetEvent<'_>> {
        loop {
            match self.next_told(now) {
                Some((_, Some(event))) => return Some(event),
                Some((at, None)) => {
                    let line = &self.lines[at];
                    let (lane, bytes) = line.lanes.said()?;
                    return Some(NetEvent::Message {
                        peer: line.peer,
                        lane,
                        bytes,
                    });
                }
                None => {}
            }
            if !self.receive(now) {
                self.transmit(now);
                return None;
            }
        }
    }

    fn send(&mut self, now: NetTime, peer: PeerId, lane: Lane, bytes: &[u8]) -> SendResult {
        let Some(line) = self.line(peer) else {
            return SendResult::Gone;
        };
        let result = line.lanes.send(now, lane, bytes);
        self.transmit(now);
        result
    }

    fn disconnect(&mut self, now: NetTime, peer: PeerId) {
        if let Some(line) = self.line(peer) {
            line.lanes.close(now);
            line.up = false;
            self.transmit(now);
        }
    }

    fn next_wake(&self) -> Option<NetTime> {
        let lanes = self.lines.iter().filter_map(|line| line.lanes.next_wake());
        lanes.chain(self.end.next_wake()).min()
    }

    fn is_up(&self, peer: PeerId) -> bool {
        self.lines
            .iter()
            .any(|line| line.peer == peer && line.up && line.lanes.is_up())
    }
}
