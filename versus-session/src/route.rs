//! The pump: what the link brings goes to the pairing or to the lockstep, never to both.

use crate::{PeerEnded, Session, kept::Kept, modes::Heard, peer::Said, session::Stage};
use core::time::Duration;
use link_transport::{
    LinkEvent, LinkPacket, LinkStats, LinkTime, LinkTransport, Slot, packet_ms, receive_quality,
};
use match_feed::{Game, duel::Catalogue};
use versus_codec::CommandCodec;
use versus_lockstep::{EndKind, GamePeek};
use versus_pairing::{HeardLobby, LOBBY_MODE, PairingPhase};

/// Receive quality counts as 0 once nothing has arrived for longer than this.
const STALE: Duration = Duration::from_secs(1);

impl<T, C, G, K> Session<T, C, G, K>
where
    T: LinkTransport,
    C: CommandCodec,
    G: Game<Command = C::Command>,
    K: Catalogue,
{
    /// Takes everything the link has, and hands it everything that is new. Work is bounded by what has arrived.
    pub fn pump(&mut self, now: LinkTime) {
        self.set_now(now);
        if self.closed {
            return;
        }
        while let Some(event) = self.transport.poll(self.now) {
            match event {
                LinkEvent::Packet(packet) => self.packet(&packet),
                LinkEvent::Slot(slot) => self.slot(slot),
                _ => {}
            }
        }
        self.quality();
        if matches!(self.stage, Stage::Lobby) {
            self.lobby();
        }
        self.adapt();
        self.flush();
        self.notice();
    }

    fn packet(&mut self, packet: &LinkPacket) {
        // A keyed lobby frame and an unkeyed game frame are nobody's: only a recording or damage makes one.
        if packet.session {
            self.game_packet(packet);
        } else {
            self.lobby_packet(packet);
        }
    }

    fn game_packet(&mut self, packet: &LinkPacket) {
        let Some(said) = GamePeek::of(packet.bits.as_bitslice()).filter(|_| self.key.is_some())
        else {
            return;
        };
        match &mut self.stage {
            Stage::Match(play) => {
                // When it arrived, not when it is read: a phone that slept through a goodbye has heard all of it.
                if play.handle_frame(packet.at.min(self.now), &packet.bits) {
                    let paused = said.paused;
                    self.peer.hear(packet.at, Said::Game { paused });
                }
            }
            Stage::Lobby => {
                let at = packet.at.min(self.now);
                self.kept
                    .hear(at, packet.bits, said.end != EndKind::Playing);
                match said.end {
                    EndKind::Playing => self.pairing.handle_peer_started(self.now),
                    EndKind::Left => self.peer_ended = Some(PeerEnded::Left),
                    EndKind::Desync | EndKind::Decided => self.peer_ended = Some(PeerEnded::Ended),
                }
            }
            Stage::Goodbye(_) => {}
        }
    }

    fn lobby_packet(&mut self, packet: &LinkPacket) {
        let heard = self.pairing.handle_packet(self.now, packet);
        match (&mut self.stage, heard) {
            (Stage::Match(play), HeardLobby::Peer(frame)) => {
                self.peer.hear(packet.at, Said::Lobby);
                let (paused, turns) = (false, None);
                let rxq = frame.rxq;
                play.modes.hear(self.now, Heard { rxq, paused, turns });
            }
            (Stage::Match(play), HeardLobby::Stranger(_)) if play.is_over(self.now) => {
                self.peer.hear_in_lobby(packet.at);
            }
            (Stage::Lobby, HeardLobby::Peer(_)) => self.peer.hear(packet.at, Said::Lobby),
            _ => {}
        }
    }

    fn slot(&mut self, slot: Slot) {
        match &mut self.stage {
            Stage::Lobby => self.pairing.handle_slot(slot),
            Stage::Match(play) => play.running.feed_mut().lockstep_mut().handle_slot(slot),
            Stage::Goodbye(_) => {}
        }
    }

    fn quality(&mut self) {
        self.rxq = quality_now(&self.transport.stats(), self.now);
        self.pairing.set_rxq(self.rxq);
        match &mut self.stage {
            Stage::Match(play) => play.running.feed_mut().lockstep_mut().set_rxq(self.rxq),
            Stage::Goodbye(goodbye) => goodbye.set_rxq(self.rxq),
            Stage::Lobby => {}
        }
    }

    fn lobby(&mut self) {
        let stats = self.transport.stats();
        self.pairing.set_plan(stats.plan);
        let peers = stats.rx_mode.is_none_or(|mode| mode == LOBBY_MODE);
        self.pairing
            .set_lobby_packets(peers && stats.tx_mode == LOBBY_MODE);
        self.pairing.handle_timeout(self.now);
        if matches!(self.pairing.status().phase, PairingPhase::NeedsNonce) {
            self.pairing.reset(self.now, self.nonces.draw());
        }
        let key = self.pairing.session_key();
        if key != self.key {
            self.key = key;
            // What was heard under another key is of another pairing.
            self.kept = Kept::default();
            self.peer_ended = None;
            if let Some(key) = key {
                self.transport.set_session_key(key);
            }
        }
    }

    /// Chooses the mode to send in, and tells the lockstep the period on the air.
    fn adapt(&mut self) {
        let Stage::Match(play) = &mut self.stage else {
            return;
        };
        let stats = self.transport.stats();
        let lockstep = play.running.feed_mut().lockstep_mut();
        lockstep.set_packet_ms(packet_ms(stats.plan, stats.tx_mode));
        if let Some(mode) = play.modes.decide(self.now, self.pairing.round_trip()) {
            self.set_mode(mode);
        }
    }
}

/// How well the peer is heard; 0 once nothing has arrived for over a second.
fn quality_now(stats: &LinkStats, now: LinkTime) -> u8 {
    let fresh = stats.last_rx.is_some_and(|at| now.since(at) <= STALE);
    match stats.snr_db {
        Some(snr_db) if fresh => receive_quality(snr_db),
        _ => 0,
    }
}
