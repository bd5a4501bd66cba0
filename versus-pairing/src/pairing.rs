//! The pairing machine: packets, slots and time in; one lobby frame and, in the end, one agreed match out.

use crate::{
    Agreed, CatalogueError, Entry, HeardLobby, LobbyFrame, LobbyHead, Opener, PROTO, PickError,
    VersionMismatch,
    agreed::Terms,
    catalogue::{check_choice, check_config},
    peers::{Peers, Whose},
    pings::Pings,
    state::{Going, Meeting, Picking, State, accept_go},
    version::StrayFrames,
};
use core::{mem, time::Duration};
use link_transport::{
    LinkPacket, LinkTime, Mode, Nonce, OutFrame, Plan, RXQ_MAX, Role, SessionKey, Slot, packet_ms,
};
use match_feed::duel::{Catalogue, InputDelay};

/// Every lobby frame goes out in this mode: the one that gets through.
pub const LOBBY_MODE: Mode = Mode::Robust;

/// One phone's half of a pairing.
#[derive(Clone, Debug)]
pub struct Pairing<K> {
    pub(crate) catalogue: K,
    pub(crate) entry: Entry,
    pub(crate) plan: Plan,
    pub(crate) head: LobbyHead,
    pub(crate) nonce: Nonce,
    pub(crate) rxq: u8,
    pub(crate) pings: Pings,
    pub(crate) peers: Peers,
    pub(crate) stray: StrayFrames,
    pub(crate) state: State,
    /// The input delay to offer whatever the round trip is.
    pub(crate) forced_delay: Option<InputDelay>,
    measures: bool,
    /// Since when this nonce listens; set by the first call that says the time.
    pub(crate) since: Option<LinkTime>,
    pub(crate) now: LinkTime,
    pub(crate) same_role: bool,
    pub(crate) heard_any: bool,
    pub(crate) dirty: bool,
}

impl<K: Catalogue> Pairing<K> {
    /// Starts listening, under a `nonce` drawn uniformly from 1…65535.
    ///
    /// # Errors
    /// A host's choice that `catalogue` does not hold.
    ///
    /// `build` is what both phones must run; see [`crate::build_or_digest`].
    ///
    /// # Panics
    /// If `nonce` is 0.
    pub fn new(
        entry: Entry,
        plan: Plan,
        build: u16,
        catalogue: K,
        nonce: Nonce,
    ) -> Result<Self, CatalogueError> {
        assert_ne!(nonce, 0, "0 means that a phone gave up");
        if let Entry::Host(choice) = &entry {
            check_choice(&catalogue, choice.map, choice.mutators)?;
        }
        let head = LobbyHead {
            role: entry.role(),
            proto: PROTO,
            build,
        };
        Ok(Self {
            catalogue,
            entry,
            plan,
            head,
            nonce,
            rxq: 0,
            pings: Pings::new(packet_ms(plan, LOBBY_MODE)),
            peers: Peers::default(),
            stray: StrayFrames::default(),
            state: State::Meeting(Meeting::default()),
            forced_delay: None,
            measures: true,
            since: None,
            now: LinkTime::ZERO,
            same_role: false,
            heard_any: false,
            dirty: true,
        })
    }

    /// The catalogue.
    pub const fn catalogue(&self) -> &K {
        &self.catalogue
    }

    /// Starts over under a fresh nonce: the retry of a failed pairing, or what [`crate::PairingPhase::NeedsNonce`] asks for.
    ///
    /// [`Self::poll_frame`] has a new frame at once. Hand it to the link before anything else: the frame the link
    /// holds may be the old pairing's GO, on which the peer would start alone.
    ///
    /// # Panics
    /// If `nonce` is 0.
    pub fn reset(&mut self, now: LinkTime, nonce: Nonce) {
        assert_ne!(nonce, 0, "0 means that a phone gave up");
        self.nonce = nonce;
        self.peers.forget_current(self.now.max(now));
        self.pings.forget_peer();
        self.stray.clear();
        self.state = State::Meeting(Meeting::default());
        self.now = self.now.max(now);
        self.since = Some(self.now);
        self.same_role = false;
        self.heard_any = false;
        self.dirty = true;
    }

    /// This phone's receive quality of its peer, 0…7, for the frames built from now on.
    pub const fn set_rxq(&mut self, rxq: u8) {
        self.rxq = if rxq > RXQ_MAX { RXQ_MAX } else { rxq };
    }

    /// Whether both phones' packets are a lobby's, [`LOBBY_MODE`]'s: true unless told otherwise. Where a match's shorter
    /// packets still go over the same link, a round trip would be measured too short, since it holds one packet of each.
    pub const fn set_lobby_packets(&mut self, both: bool) {
        self.measures = both;
    }

    /// The band plan, where it has only now been found (a guest that listened on both). A config of another plan is
    /// not agreed any more.
    pub fn set_plan(&mut self, plan: Plan) {
        if plan == self.plan {
            return;
        }
        self.plan = plan;
        self.pings.set_packet_ms(packet_ms(plan, LOBBY_MODE));
        if matches!(self.state, State::Meeting(_) | State::Picking(_)) {
            self.state = State::Meeting(Meeting::default());
            self.dirty = true;
        }
    }

    /// Takes a packet. Keyed packets are not lobby frames, whatever their bits.
    pub fn handle_packet(&mut self, now: LinkTime, packet: &LinkPacket) -> HeardLobby {
        self.handle_timeout(now);
        let bits = packet.bits.as_bitslice();
        let Ok(head) = LobbyHead::decode(bits) else {
            return HeardLobby::Nothing;
        };
        if packet.session {
            return HeardLobby::Nothing;
        }
        if head.role == self.head.role {
            self.same_role |= !self.heard_any;
            return HeardLobby::SameRole;
        }
        if (head.proto, head.build) != (self.head.proto, self.head.build) {
            self.hear_other_version(head, packet.at);
            return HeardLobby::Nothing;
        }
        match LobbyFrame::decode(bits) {
            Ok(frame) => self.hear(&frame, packet.at),
            Err(_) => HeardLobby::Nothing,
        }
    }

    /// A packet of one's own has started: the next frame is due.
    pub fn handle_slot(&mut self, slot: Slot) {
        self.handle_timeout(slot.at);
        self.pings.slot(slot);
        if let (State::Going(going), Some(key)) = (&mut self.state, slot.key) {
            going.sent |= key >= going.first_key;
        }
        let live = self.peers.current().is_some_and(|p| p.live_at.is_some());
        if let (State::Meeting(meeting), true) = (&mut self.state, live) {
            meeting.windows.built(self.rxq);
        }
        self.offer();
        self.start();
        self.dirty = true;
    }

    /// A game frame that passes the session CRC and says the match goes on: the peer has started.
    pub fn handle_peer_started(&mut self, now: LinkTime) {
        self.handle_timeout(now);
        if let State::Going(going) = &mut self.state {
            going.peer_goes = true;
        }
        self.start();
    }

    /// Lets time pass: picks for a player who has not picked in time.
    pub fn handle_timeout(&mut self, now: LinkTime) {
        self.now = self.now.max(now);
        let since = *self.since.get_or_insert(self.now);
        debug_assert!(since <= self.now);
        let State::Picking(picking) = &mut self.state else {
            return;
        };
        if picking.pick.is_none() && self.now >= picking.until {
            picking.pick = Some(picking.terms.default_pick(&self.catalogue, self.head.role));
            self.dirty = true;
            self.go();
        }
    }

    /// When [`Self::handle_timeout`] has something to do; `None` if only a packet can change anything.
    #[must_use]
    pub fn next_wake(&self) -> Option<LinkTime> {
        match &self.state {
            State::Picking(picking) if picking.pick.is_none() => Some(picking.until),
            _ => None,
        }
    }

    /// Chooses this phone's opener. A pick is final.
    ///
    /// # Errors
    /// Nothing can be picked now, or not this.
    pub fn pick(&mut self, opener: Opener) -> Result<(), PickError> {
        let State::Picking(picking) = &mut self.state else {
            return Err(self
                .state
                .own_pick()
                .map_or(PickError::NotNow, |pick| PickError::Final { pick }));
        };
        if let Some(pick) = picking.pick {
            return Err(PickError::Final { pick });
        }
        if !picking
            .terms
            .allows(&self.catalogue, self.head.role, opener)
        {
            return Err(PickError::Blocked {
                pick: opener,
                side: picking.terms.side(self.head.role),
            });
        }
        picking.pick = Some(opener);
        self.dirty = true;
        self.go();
        Ok(())
    }

    /// The openers on offer now: at least one while picking (which may be "none"), none otherwise.
    pub fn openers(&self) -> impl Iterator<Item = Opener> {
        let offered: heapless::Vec<Opener, 4> = match &self.state {
            State::Picking(picking) => crate::catalogue::allowed(
                &self.catalogue,
                &picking.terms.bare_setup(),
                picking.terms.side(self.head.role),
            )
            .collect(),
            _ => heapless::Vec::new(),
        };
        offered.into_iter()
    }

    /// The frame for the next packet, if there is a new one: after every slot, every packet heard and every change.
    pub fn poll_frame(&mut self, now: LinkTime) -> Option<OutFrame> {
        self.handle_timeout(now);
        if !mem::take(&mut self.dirty) || matches!(self.state, State::NeedsNonce) {
            return None;
        }
        let stamps = self.pings.stamp(self.now);
        let terms = self.state.terms();
        let own_pick = self.state.own_pick();
        let (nonce, heard) = match &self.state {
            State::Failed { given_up, .. } => (0, *given_up),
            _ => (self.nonce, self.peers.current().map_or(0, |p| p.nonce)),
        };
        let frame = LobbyFrame {
            head: self.head,
            nonce,
            heard,
            rxq: self.rxq,
            ping: stamps.ping,
            echo: stamps.echo,
            hold: stamps.hold,
            config: terms
                .filter(|_| self.head.role == Role::Host)
                .map(|terms| terms.config),
            conf_hash: terms.map_or(0, |terms| terms.hash),
            pick: own_pick.flatten(),
            picked: own_pick.is_some(),
            go: self.state.committed(),
        };
        Some(OutFrame {
            bits: frame.encode(),
            key: stamps.key,
            keyed: false,
        })
    }

    /// The key of the match, from GO on: game frames are sent and heard under it.
    #[must_use]
    pub fn session_key(&self) -> Option<SessionKey> {
        match &self.state {
            State::Going(going) | State::Started(going, _) => Some(going.terms.key),
            _ => None,
        }
    }

    /// The agreed match, once it may begin.
    #[must_use]
    pub const fn agreed(&self) -> Option<&Agreed> {
        match &self.state {
            State::Started(_, agreed) => Some(agreed),
            _ => None,
        }
    }

    /// The match as this phone's GO says it, started or not.
    #[must_use]
    pub fn going(&self) -> Option<Agreed> {
        match &self.state {
            State::Going(going) => Some(self.agree(going)),
            State::Started(_, agreed) => Some(*agreed),
            _ => None,
        }
    }

    /// The median round trip measured with the peer.
    #[must_use]
    pub fn round_trip(&self) -> Option<Duration> {
        self.pings.round_trip()
    }

    fn hear_other_version(&mut self, theirs: LobbyHead, at: LinkTime) {
        let live = self.peers.current().is_some_and(|p| p.is_live(at));
        let settled = matches!(self.state, State::Started(..) | State::OtherVersion(_));
        if !live && !settled && self.stray.hear(at) {
            self.heard_any = true;
            self.state = State::OtherVersion(VersionMismatch {
                own: self.head,
                theirs,
            });
            self.dirty = true;
        }
    }

    fn hear(&mut self, frame: &LobbyFrame, at: LinkTime) -> HeardLobby {
        self.heard_any = true;
        let stranger = HeardLobby::Stranger(frame.head);
        match &self.state {
            State::Failed { .. } | State::OtherVersion(_) | State::NeedsNonce => return stranger,
            State::Started(going, _) => {
                // Nothing is agreed anew after the start; the peer's frames only echo and report.
                let theirs = terms_peer(&going.terms, self.head.role);
                if frame.nonce != theirs || frame.heard != self.nonce {
                    return stranger;
                }
            }
            State::Meeting(_) | State::Picking(_) | State::Going(_) => {}
        }
        if frame.nonce == 0 {
            if frame.heard == self.nonce {
                self.peers.retire_current(at);
                self.pings.forget_peer();
                self.state = State::NeedsNonce;
            }
            return stranger;
        }
        let committed = self.state.committed().is_some();
        match self.peers.hear(self.nonce, frame, at, committed) {
            Whose::Stranger => return stranger,
            Whose::Newcomer => {
                self.pings.forget_peer();
                self.state = State::Meeting(Meeting::default());
            }
            Whose::Current => {}
        }
        self.dirty = true;
        self.pings.hear(frame.ping, at);
        if frame.heard == self.nonce {
            if self.measures {
                self.pings.measure(frame.echo, frame.hold, at);
            }
            self.follow(frame);
        }
        HeardLobby::Peer(*frame)
    }

    /// A frame of the current peer's that hears this phone.
    fn follow(&mut self, frame: &LobbyFrame) {
        match self.head.role {
            Role::Host => self.follow_guest(frame),
            Role::Guest => self.follow_host(frame),
        }
        if let Some(named) = frame.go {
            let role = self.head.role;
            match accept_go(&self.state, frame, named, &self.catalogue, role) {
                Ok(()) => {
                    self.go();
                    if let State::Going(going) = &mut self.state {
                        going.peer_goes = true;
                    }
                }
                Err(why) if !matches!(self.state, State::Started(..)) => {
                    self.state = State::Failed {
                        given_up: frame.nonce,
                        why,
                    };
                    return;
                }
                Err(_) => {}
            }
        }
        self.go();
        self.start();
    }

    fn follow_host(&mut self, frame: &LobbyFrame) {
        let Some(config) = frame.config else { return };
        if let Err(refused) = check_config(&self.catalogue, &config) {
            if let State::Meeting(meeting) = &mut self.state {
                meeting.refused = Some(refused);
                meeting.terms = None;
            }
            return;
        }
        let own = (self.head.role, self.nonce);
        let terms = Terms::new(config, self.plan, own, frame.nonce);
        let says_the_same = frame.conf_hash == terms.hash;
        match &mut self.state {
            State::Meeting(meeting) => {
                meeting.refused = None;
                meeting.terms = Some(terms);
                if says_the_same {
                    let picking = Picking::new(terms, self.now, &self.catalogue, self.head.role);
                    self.state = State::Picking(picking);
                }
            }
            // The host may still change its offer while this phone already shows the cards.
            State::Picking(picking) if picking.terms.same_match(&terms) => picking.terms = terms,
            State::Picking(_) => {
                self.state = State::Meeting(Meeting {
                    terms: Some(terms),
                    ..Meeting::default()
                });
            }
            _ => {}
        }
    }

    /// Sets GO as soon as both phones are ready for it.
    fn go(&mut self) {
        let (State::Picking(picking), Some(peer)) = (&self.state, self.peers.current()) else {
            return;
        };
        if peer.frame.heard != self.nonce {
            return;
        }
        let first_key = self.pings.next_key();
        let role = self.head.role;
        if let Some(going) = picking.go(&peer.frame, &self.catalogue, role, first_key) {
            self.state = State::Going(going);
            self.dirty = true;
        }
    }

    /// Starts once GO has gone out and the peer goes too.
    fn start(&mut self) {
        if let State::Going(going) = self.state
            && going.sent
            && going.peer_goes
        {
            let agreed = self.agree(&going);
            self.state = State::Started(going, agreed);
        }
    }

    fn agree(&self, going: &Going) -> Agreed {
        going.terms.agreed(self.head.role, going.own, going.theirs)
    }
}

/// The peer's nonce in `terms`.
const fn terms_peer(terms: &Terms, own: Role) -> Nonce {
    match own {
        Role::Host => terms.key.guest_nonce,
        Role::Guest => terms.key.host_nonce,
    }
}
