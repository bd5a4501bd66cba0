//! Plays one match of a plan on virtual time, and judges it.

use crate::{
    dice::Dice,
    liar::{Face, Liar},
    peer::{Canary, Peer, seat},
    plan::{Lie, Plan, TIME_MS_MAX, WHOLE_TIME_MS_MAX, What},
    skirmish::{INPUT_BYTES, Skirmish},
};
use match_feed::TickRate;
use net_session::{Event, OnDrop, Outcome, Place, Secret, Session, SessionConfig};
use net_transport::{LanesEnd, NetAir, NetTime, NetTransport};

const SECRET: [u8; 16] = *b"sixteen secrets!";
/// The largest snapshot of these games.
const SNAPSHOT_BYTES_MAX: u32 = 64 * 1024;

/// Who confirms nothing for so long though the match goes on hangs: twice the silence that drops a peer, and some.
const HANGS_US: u64 = 12_000_000;
/// The same of who watches: three times that silence, and some.
const WATCHER_HANGS_US: u64 = 17_000_000;
/// What a match may hold: so much a session (its history, a snapshot, the host's log), and packets on their way.
const BYTES_A_SESSION: usize = 3 << 20;
const BYTES_UNDER_WAY: usize = 16 << 20;

/// What one match came to.
#[derive(Debug, Default)]
pub struct Verdict {
    /// The law broken, if one was.
    pub broken: Option<String>,
    pub ended: bool,
    pub detected: bool,
    pub frames: u64,
    /// Orders of the skirmish that were carried out.
    pub orders: u64,
    pub virtual_ms: u64,
    pub joined: u64,
    /// Whether somebody still played when the time was up, without hanging.
    pub unfinished: bool,
    /// Spectators that the liar fed, and that saw another match than was played.
    pub fooled: u64,
    /// The most that was held at once, bytes.
    pub held_bytes: usize,
}

struct Arena<'a> {
    plan: &'a Plan,
    air: NetAir,
    peers: Vec<Peer>,
    now_us: u64,
    lives: u64,
    canary: Option<Canary>,
    held: &'a dyn Fn() -> usize,
    held_bytes: usize,
    sessions: usize,
}

/// Plays match `plan`; `held` says how many bytes are allocated since the start.
pub fn play(plan: &Plan, canary: Option<Canary>, held: &dyn Fn() -> usize) -> Verdict {
    let ends = plan.seats + 1;
    let air = NetAir::apart(ends, plan.links[0], plan.seed).over(plan.carrier);
    for from in 0..ends {
        air.set_clock(
            from,
            NetTime::from_ms(17 * from as u64),
            plan.clocks_ppm[from],
        );
        for to in 0..ends {
            air.set_link(from, to, plan.links[from * ends + to]);
        }
    }
    let players: Vec<usize> = (0..plan.seats)
        .filter(|at| plan.open != Some(*at))
        .collect();
    for (nth, a) in players.iter().enumerate() {
        for b in &players[nth + 1..] {
            air.connect(NetTime::ZERO, *a, *b);
        }
    }
    let mut arena = Arena {
        plan,
        air,
        peers: Vec::new(),
        now_us: 0,
        lives: 0,
        canary,
        held,
        held_bytes: 0,
        sessions: 0,
    };
    for at in players {
        arena.enter(at, Place::Player(seat(at)), 0);
    }
    match arena.run() {
        Ok(()) => arena.judge(),
        Err(why) => Verdict {
            broken: Some(why),
            ..Verdict::default()
        },
    }
}

impl Arena<'_> {
    fn config(&self, end: usize, place: Place, life: u64) -> SessionConfig {
        let plan = self.plan;
        let token = |life: u64| plan.nonce(end, life + 1_000).to_le_bytes();
        let mut both = [0; 16];
        both[..8].copy_from_slice(&token(life));
        let config = SessionConfig::new(
            plan.seats as u8,
            place,
            Secret::new(SECRET),
            plan.nonce(end, life),
            both,
        )
        .rate(TickRate::new(plan.rate_hz).unwrap_or(TickRate::MAX))
        .game(1, 2)
        .setup(plan.seed, b"toy")
        .open(plan.open.map_or(match_feed::SeatSet::EMPTY, seat))
        .input_delay(plan.delay)
        .prediction(plan.prediction)
        .on_drop(plan.on_drop)
        .input_bytes(if plan.skirmish { INPUT_BYTES } else { 2 })
        .snapshots(SNAPSHOT_BYTES_MAX, 60_000)
        .timeouts(10_000_000, 5_000_000);
        match plan.adaptive {
            Some((least, most)) => config.adaptive_delay(least, most),
            None => config,
        }
    }

    /// A new process at an end; a liar's may be two.
    fn enter(&mut self, end: usize, place: Place, life: u64) {
        let plan = self.plan;
        let lie = plan.liar.filter(|liar| liar.0 == end).map(|liar| liar.1);
        let mut transports: Vec<Box<dyn NetTransport>> = Vec::new();
        match lie {
            Some(lie @ (Lie::TwoFaces | Lie::Turncoat)) => {
                for face in Face::pair(self.air.end(end), lie) {
                    transports.push(Box::new(face));
                }
            }
            Some(lie) => transports.push(Box::new(Liar {
                end: self.air.end(end),
                lie,
                me: end as u8,
                secret: SECRET,
                nonces: (0..plan.seats).map(|at| plan.nonce(at, 0)).collect(),
                dice: Dice::new(plan.seed ^ 0x6C69_6172),
                kept: Default::default(),
            })),
            None if plan.lanes => {
                let token = plan.nonce(end, life + 2_000) as u32 | 1;
                transports.push(Box::new(LanesEnd::new(self.air.end(end), token)));
            }
            None => transports.push(Box::new(self.air.end(end))),
        }
        for (face, transport) in transports.into_iter().enumerate() {
            let session = Session::new(self.config(end, place, life))
                .expect("a plan is a legal configuration");
            let mut peer = Peer::new(
                session,
                transport,
                end,
                plan.seed ^ (face as u64) << 50 ^ life << 40,
            );
            peer.last = plan.frames;
            peer.skirmish = plan.skirmish.then(|| Skirmish::new(end, plan.seed));
            peer.ballast = plan.ballast;
            peer.lies_hash = lie == Some(Lie::FalseHashes);
            peer.moved_us = self.now_us;
            peer.entered_us = self.now_us;
            peer.next_poll_us = self.now_us + 1_700 * end as u64 % 16_000;
            if end == plan.seats - 1 && lie.is_none() {
                peer.canary = self.canary;
            }
            self.peers.push(peer);
            self.sessions += 1;
        }
    }

    fn run(&mut self) -> Result<(), String> {
        let mut visits = 0_u64;
        let mut events = self.plan.events.iter().copied().peekable();
        loop {
            let due = |peer: &&mut Peer| peer.next_poll_us;
            let next = self
                .peers
                .iter_mut()
                .min_by_key(due)
                .map(|peer| peer.next_poll_us);
            let event_us = events.peek().map(|event| event.0 * 1_000);
            let Some(next_us) = next.into_iter().chain(event_us).min() else {
                return Ok(());
            };
            let most_ms = if self.plan.cuts() || self.plan.liar.is_some() {
                TIME_MS_MAX
            } else {
                WHOLE_TIME_MS_MAX
            };
            if next_us > most_ms * 1_000 {
                return Ok(());
            }
            self.now_us = next_us;
            if event_us == Some(next_us)
                && let Some((_, what)) = events.next()
            {
                self.happens(what);
                continue;
            }
            let Some(at) = self
                .peers
                .iter()
                .position(|peer| peer.next_poll_us == next_us)
            else {
                continue;
            };
            self.visit(at)?;
            visits += 1;
            if visits.is_multiple_of(2_000) {
                self.held_bytes = self.held_bytes.max((self.held)());
            }
            if self.peers.iter().all(|peer| {
                peer.left_at_us
                    .is_some_and(|left| self.now_us > left + 1_000_000)
            }) {
                return Ok(());
            }
        }
    }

    fn visit(&mut self, at: usize) -> Result<(), String> {
        let peer = &mut self.peers[at];
        let frozen = peer.canary == Some(Canary::Frozen) && self.now_us > 3_000_000;
        let now = self.air.local(peer.end, NetTime::from_us(self.now_us));
        if !frozen {
            peer.poll(now)
                .map_err(|why| format!("end {}: {why}", peer.end))?;
        }
        if peer.confirmed() != peer.moved_to {
            peer.moved_to = peer.confirmed();
            peer.moved_us = self.now_us;
        }
        if peer.left_at_us.is_none() && peer.session.outcome().is_some() {
            peer.left_at_us = Some(self.now_us);
        }
        peer.next_poll_us = self.now_us + if frozen { 16_000 } else { peer.wait_us(now) };
        Ok(())
    }

    fn happens(&mut self, what: What) {
        let now = NetTime::from_us(self.now_us);
        let later = |ms: u64| now.plus(ms * 1_000);
        match what {
            What::Kill { seat } => {
                self.air.kill(seat);
                self.peers.retain(|peer| peer.end != seat);
            }
            What::Leave { seat } => {
                for peer in self.peers.iter_mut().filter(|peer| peer.end == seat) {
                    peer.session.leave();
                }
            }
            What::Rejoin { seat: back } => {
                // Its old session's token; its new one has another.
                let mut token = [0; 16];
                token[..8].copy_from_slice(&self.plan.nonce(back, 1_000).to_le_bytes());
                self.connect_all(back);
                self.lives += 1;
                self.enter(
                    back,
                    Place::Joiner {
                        seats: seat(back),
                        token,
                    },
                    self.lives,
                );
            }
            What::Join { seat: open } => {
                self.connect_all(open);
                self.enter(
                    open,
                    Place::Joiner {
                        seats: seat(open),
                        token: [0; 16],
                    },
                    0,
                );
            }
            What::Watch => {
                let end = self.plan.seats;
                self.connect_all(end);
                self.enter(end, Place::Spectator { number: 8 }, 0);
            }
            What::Part { bits, ms } => {
                let part: Vec<usize> = (0..8).filter(|at| bits & 1 << at != 0).collect();
                self.air.partition(&part, now, later(ms));
            }
            What::Outage { from, to, ms } => self.air.outage(from, to, now, later(ms)),
            What::Away { seat, away } => {
                for peer in self.peers.iter_mut().filter(|peer| peer.end == seat) {
                    peer.session.set_away(away);
                }
            }
        }
    }

    /// Connects a new process with whoever is there.
    fn connect_all(&mut self, end: usize) {
        let now = NetTime::from_us(self.now_us);
        let mut there: Vec<usize> = self.peers.iter().map(|peer| peer.end).collect();
        there.dedup();
        for other in there.into_iter().filter(|other| *other != end) {
            self.air.sever(now, other, end);
            self.air.connect(now, other, end);
        }
    }

    /// Whether the plan gives an end no reason to stop early.
    fn must_play_on(&self, peer: &Peer) -> bool {
        let plan = self.plan;
        // Nobody waits for who is fed only: the match may end before it plays.
        let plays = |event: &Event| matches!(event, Event::Joined { member, .. } if usize::from(*member) == peer.end);
        let came_too_late = peer.entered_us > 0 && !peer.events.iter().any(plays);
        if plan.liar.is_some() || peer.end >= plan.seats || came_too_late {
            return false;
        }
        // One goes, the others are still the larger part, and had begun.
        let goes_on = plan.on_drop != OnDrop::End && plan.seats > 2;
        let begun = peer.events.contains(&Event::Going);
        let kills = plan.events.iter();
        let kills = kills.filter(|event| matches!(event.1, What::Kill { .. }));
        let alone = kills.count() <= 1;
        plan.events.iter().all(|(at_ms, what)| match what {
            What::Away { .. } | What::Watch | What::Join { .. } => begun || plan.events.len() == 1,
            What::Kill { seat } | What::Leave { seat } => {
                let of_its_former_life = *seat == peer.end && at_ms * 1_000 < peer.entered_us;
                begun && goes_on && alone && (*seat != peer.end || of_its_former_life)
            }
            What::Rejoin { .. } => begun,
            What::Part { .. } | What::Outage { .. } => false,
        })
    }

    fn tell(&self) -> String {
        let tell = |peer: &Peer| {
            let session = &peer.session;
            format!(
                "\n  end {}: at {}, confirmed {}, {:?}, {:?}",
                peer.end,
                session.position(),
                peer.confirmed(),
                session.outcome(),
                peer.events
            )
        };
        self.peers.iter().map(tell).collect()
    }

    /// Whether the laws held.
    fn judge(&self) -> Verdict {
        let plan = self.plan;
        let is_liar = |end: usize| plan.liar.is_some_and(|liar| liar.0 == end);
        let honest: Vec<&Peer> = self
            .peers
            .iter()
            .filter(|peer| !is_liar(peer.end))
            .collect();
        let mut verdict = Verdict {
            virtual_ms: self.now_us / 1_000,
            frames: honest.iter().map(|peer| peer.log.len() as u64).sum(),
            held_bytes: self.held_bytes,
            orders: honest
                .iter()
                .filter_map(|peer| Some(peer.skirmish.as_ref()?.orders))
                .sum(),
            joined: honest.iter().filter(|peer| peer.joined).count() as u64,
            ..Verdict::default()
        };
        let goes_on =
            |peer: &&&Peer| matches!(peer.session.outcome(), None | Some(Outcome::Ended { .. }));
        let desynced =
            |peer: &&&Peer| matches!(peer.session.outcome(), Some(Outcome::Desync { .. }));
        verdict.detected = honest.iter().any(|peer| desynced(&peer));
        verdict.ended = honest
            .iter()
            .any(|peer| matches!(peer.session.outcome(), Some(Outcome::Ended { .. })));
        let mut fooled = 0;
        let mut broken = |why: String| {
            verdict
                .broken
                .get_or_insert(format!("{why}{}", self.tell()));
        };
        // What a spectator sees is what its feeder says.
        let fed_by_liar = |peer: &Peer| {
            peer.end >= plan.seats && plan.liar.is_some_and(|liar| peer.fed_by & 1 << liar.0 != 0)
        };
        let held: Vec<&&Peer> = honest.iter().filter(goes_on).collect();
        for (nth, a) in held.iter().enumerate() {
            for b in &held[nth + 1..] {
                let from = a.log_from.max(b.log_from);
                let to = a.confirmed().min(b.confirmed());
                let differs = (from..to).find(|frame| a.mix_after(*frame) != b.mix_after(*frame));
                if differs.is_some() && (fed_by_liar(a) || fed_by_liar(b)) {
                    fooled += 1;
                } else if let Some(frame) = differs {
                    broken(format!(
                        "undetected desync: ends {} and {} differ after frame {frame}",
                        a.end, b.end
                    ));
                }
            }
        }
        if plan.liar.is_none() && honest.iter().any(|peer| desynced(&peer)) {
            broken("false desync".into());
        }
        let bound = BYTES_A_SESSION * self.sessions + BYTES_UNDER_WAY;
        if self.held_bytes > bound {
            broken(format!("{} bytes held, {bound} at most", self.held_bytes));
        }
        let mut unfinished = false;
        let cut = plan.cuts();
        for peer in &honest {
            if peer.session.outcome().is_none() {
                unfinished = true;
                let still_us = self.now_us.saturating_sub(peer.moved_us);
                let most_us = if peer.end < plan.seats {
                    HANGS_US
                } else {
                    WATCHER_HANGS_US
                };
                if still_us > most_us && !fed_by_liar(peer) {
                    broken(format!(
                        "hang: end {} has stood still for {still_us} µs",
                        peer.end
                    ));
                }
                if !cut && plan.liar.is_none() {
                    broken(format!(
                        "hang: end {} is not through, though no link was cut",
                        peer.end
                    ));
                }
            }
        }
        // Whom nothing kept from it must have come to the end, or be on the way.
        for peer in honest.iter().filter(|peer| self.must_play_on(peer)) {
            let outcome = peer.session.outcome();
            if !matches!(outcome, Some(Outcome::Ended { frame }) if frame.0 == plan.frames)
                && outcome.is_some()
            {
                broken(format!(
                    "end {} had to play to the end: {outcome:?}",
                    peer.end
                ));
            }
        }
        verdict.unfinished = unfinished;
        verdict.fooled = fooled;
        verdict
    }
}
