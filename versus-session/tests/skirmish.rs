//! The reference game, played by its AIs over the packet link: nothing in the session knows it.

use game_sim::{Ai, AiLevel, Command, SkirmishCodec, World};
use link_transport::{AirConfig, AirEnd, LinkTime, Loss, PacketAir, Plan};
use match_feed::{BattleRecord, MapChoice, MatchSetup, Side, WorldHash};
use versus_codec::kit::MapSize;
use versus_pairing::{Catalogue, HostChoice, PairingPhase, Seat, StartMode};
use versus_session::{MatchEnd, ModePolicy, Session, SessionConfig, SessionPhase, Sync};

/// The skirmish's catalogue as pairing wants it: what every host of the game writes.
struct Skirmish;

impl Catalogue for Skirmish {
    fn built_in_maps(&self) -> u8 {
        game_sim::map_count()
    }
    fn biomes(&self) -> u8 {
        game_sim::biome_count()
    }
    fn mutators(&self) -> u8 {
        game_sim::mutator_names().len() as u8
    }
    fn map_size(&self, map: MapChoice) -> Option<MapSize> {
        game_sim::map_size(map)
    }
    fn opener_allowed(&self, setup: &MatchSetup, side: Side, opener: u8) -> bool {
        game_sim::opener_allowed(setup, side, opener)
    }
}

struct Phone {
    session: Session<AirEnd, SkirmishCodec, World, Skirmish>,
    ai: Option<Ai>,
    hashes: Vec<WorldHash>,
    orders: usize,
}

impl Phone {
    fn new(end: AirEnd, seat: Seat, seed: u64) -> Self {
        let config = SessionConfig {
            seat,
            plan: Plan::High,
            build: 7,
            game: "skirmish".into(),
            seed,
            modes: ModePolicy::Adapt,
        };
        Self {
            session: Session::new(end, config, Skirmish).expect("a map of the game's"),
            ai: None,
            hashes: Vec::new(),
            orders: 0,
        }
    }

    fn frame(&mut self, now: LinkTime) {
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
        let Self {
            session,
            ai,
            hashes,
            orders,
        } = self;
        session.run(now, |_, world, give| {
            hashes.push(match_feed::Game::hash(world));
            for order in ai.as_mut().expect("plays").think(world) {
                *orders += 1;
                give(order);
            }
        });
    }
}

fn play(loss: f64, ticks: usize, map: MapChoice, host_side: Side, seed: u64) {
    let air = AirConfig {
        loss: [Loss::Bernoulli(loss); 2],
        ..AirConfig::default()
    };
    let (host_end, guest_end) = PacketAir::pair(air, seed);
    let choice = HostChoice {
        map,
        mutators: 0,
        host_side,
        start_mode: StartMode::Measured,
    };
    let mut host = Phone::new(host_end, Seat::Host(choice), 2 * seed);
    let mut guest = Phone::new(guest_end, Seat::Guest, 2 * seed + 1);
    let mut now = LinkTime::ZERO;
    let over = |phone: &Phone, now| match phone.session.end(now) {
        Some(MatchEnd::Decided { sync, .. }) => sync != Sync::Checking,
        other => other.is_some(),
    };
    while now < LinkTime::from_ms(ticks as u64 * 200 + 60_000) {
        now = LinkTime::from_us(now.as_us() + 16_667);
        host.frame(now);
        guest.frame(now);
        let played = host.hashes.len() > ticks && guest.hashes.len() > ticks;
        if played || (over(&host, now) && over(&guest, now)) {
            break;
        }
    }
    let both = host.hashes.len().min(guest.hashes.len());
    let decided = over(&host, now);
    assert!(
        decided || both > ticks,
        "{both} ticks: {:?}",
        host.session.status(now)
    );
    assert_eq!(host.hashes[..both], guest.hashes[..both]);
    assert!(
        host.orders > 20 && guest.orders > 20,
        "{} and {}",
        host.orders,
        guest.orders
    );
    if decided {
        let record = host.session.record().expect("played").to_json();
        assert_eq!(record, guest.session.record().expect("played").to_json());
        let record = BattleRecord::<Command>::parse(&record).expect("its own text");
        let world = World::new(&record.header.setup).expect("the catalogue holds it");
        assert!(match_feed::replay(&record, world, |_, _| {}).0.agrees());
    }
}

#[test]
fn ai_against_ai_for_five_minutes_at_ten_percent_loss() {
    play(0.1, 3000, MapChoice::BuiltIn(0), Side::Blue, 11);
}

#[test]
fn ai_against_ai_on_a_random_map_with_the_host_red() {
    play(
        0.0,
        1200,
        MapChoice::Random { biome: 1, seed: 99 },
        Side::Red,
        12,
    );
}
