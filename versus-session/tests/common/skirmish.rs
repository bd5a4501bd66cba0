//! The reference game and an AI on a phone: what every host of the game writes.
#![allow(dead_code, reason = "each test file uses its part")]

use game_sim::{Ai, AiLevel, Command, Skirmish, SkirmishCodec, World};
use link_transport::{LinkTime, LinkTransport, Plan};
use match_feed::{WorldHash, duel::BattleRecord};
use versus_pairing::{Entry, PairingPhase};
use versus_session::{ModePolicy, Session, SessionConfig, SessionPhase};

pub struct Phone<T> {
    pub session: Session<T, SkirmishCodec, World, Skirmish>,
    ai: Option<Ai>,
    pub hashes: Vec<WorldHash>,
    /// Orders given so far.
    pub orders: usize,
    /// Every 5 s an order to 30 units, as a player who moves an army gives it.
    pub bursts: bool,
}

impl<T: LinkTransport> Phone<T> {
    pub fn new(end: T, entry: Entry, plan: Plan, seed: u64) -> Self {
        Self::with_modes(end, entry, plan, seed, ModePolicy::Adapt)
    }

    pub fn with_modes(end: T, entry: Entry, plan: Plan, seed: u64, modes: ModePolicy) -> Self {
        let config = SessionConfig::new(entry, 7, "skirmish", seed)
            .with_plan(plan)
            .with_modes(modes);
        Self {
            session: Session::new(end, config, Skirmish).expect("a map of the game's"),
            ai: None,
            hashes: Vec::new(),
            orders: 0,
            bursts: false,
        }
    }

    pub fn frame(&mut self, now: LinkTime) {
        self.session.pump(now);
        let status = self.session.status(now);
        if let PairingPhase::Picking { .. } = status.pairing.phase {
            let opener = self.session.openers().last().expect("at least one");
            self.session.pick(opener).expect("on offer");
        }
        if status.phase == SessionPhase::Ready {
            let agreed = *self.session.agreed().expect("ready");
            let world = World::new(&agreed.setup).expect("the catalogue holds it");
            let size = game_sim::map_size(agreed.setup.map).expect("the catalogue holds it");
            self.ai = Some(Ai::new(
                agreed.local_side(),
                AiLevel::Hard,
                agreed.setup.seed,
            ));
            self.session
                .begin_match(now, world, SkirmishCodec::new(size))
                .expect("begins");
        }
        let bursts = self.bursts;
        let Self {
            session,
            ai,
            hashes,
            orders,
            ..
        } = self;
        session.run(now, |tick, world, give| {
            hashes.push(match_feed::Game::hash(world));
            let ai = ai.as_mut().expect("plays");
            let mut all = ai.think(world);
            if bursts && tick.0 % 50 == 25 {
                let at = world.home(ai.side().other()).centre();
                let unit_ids = (1..=60).step_by(2).collect();
                all.push(Command::AttackMove { unit_ids, at });
            }
            for order in all {
                *orders += 1;
                give(order);
            }
        });
    }
}

/// Both phones' records are the same text, which plays again with every hash.
pub fn assert_equal_records<T: LinkTransport>(phones: [&Phone<T>; 2]) {
    let [host, guest] = phones.map(|phone| phone.session.record().expect("played").to_json());
    assert_eq!(host, guest);
    let record = BattleRecord::<Command>::parse(&host).expect("its own text");
    let world = World::new(&record.header.setup).expect("the catalogue holds it");
    let report = match_feed::replay(&record, world, |_, _| {}).0;
    assert!(report.difference.is_none(), "{report:?}");
}
