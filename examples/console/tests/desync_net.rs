//! Two ends of one session play a broken game by rollback, each writes a bundle when their worlds come apart, and
//! `sound-duel desync` names the frame and the part.

#[path = "../../../net-session/tests/broken/mod.rs"]
mod broken;
mod common;

use broken::{Arena, CASES, Fault};
use common::{folder, lines, run, stdout, text};
use match_feed::{
    DesyncBundle, DesyncWatch, PlayedMatch, Seat, SeatSet, Tick, TickRate, WorldHash,
};
use net_session::{
    Frame, Outcome, Part, Place, Request, SAVED_BYTES, Secret, Session, SessionConfig, StateRing,
};
use net_transport::{LinkConfig, Loss, NetAir, NetEnd, NetTime};
use std::collections::BTreeMap;

const STATE_BYTES: usize = 256;
/// Virtual time that is enough for any of the faults to show in a hash.
const MATCH_US: u64 = 20_000_000;
const VISIT_US: u64 = 8_000;

type Parts = [(&'static str, WorldHash); 7];

fn whole(parts: &Parts) -> u64 {
    let all = parts.iter();
    all.fold(0, |all, part| all.rotate_left(7) ^ part.1.0)
}

/// One end and its host.
struct Host {
    seat: Seat,
    session: Session,
    end: NetEnd,
    game: Arena,
    states: StateRing,
    /// States of the frames that hashes are compared at.
    compared: BTreeMap<Frame, Vec<u8>>,
    watch: DesyncWatch,
    /// What this end knew of each frame at last: the truth that the command is held to.
    known: BTreeMap<u32, Parts>,
    dice: u32,
}

impl Host {
    fn new(air: &NetAir, seat: Seat, fault: Fault) -> Self {
        let number = u64::from(u8::from(seat));
        let local = SeatSet::only(seat);
        let place = Place::Player(local);
        let config = SessionConfig::new(
            2,
            place,
            Secret::new([9; 16]),
            1 + number,
            [number as u8; 16],
        )
        .input_delay(1)
        .prediction(8);
        let played = PlayedMatch {
            game: "broken".into(),
            game_id: 1,
            rate: TickRate::new(60).unwrap(),
            seats: 2,
            seed: 0,
            setup: Vec::new(),
        };
        let game = Arena::new(fault);
        let mut watch = DesyncWatch::new(played, "a test", local);
        let parts = game.parts();
        watch.stepped(Tick(0), WorldHash(whole(&parts)), |say| {
            parts.iter().for_each(|(name, hash)| say(name, *hash));
        });
        Self {
            seat,
            session: Session::new(config).unwrap(),
            end: air.end(seat.index()),
            game,
            states: StateRing::new(10, STATE_BYTES).unwrap(),
            compared: BTreeMap::new(),
            watch,
            known: BTreeMap::new(),
            dice: 7 + number as u32,
        }
    }

    fn visit(&mut self, now: NetTime) {
        self.dice = self
            .dice
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        if self.dice >> 28 == 0 {
            let pad = (self.dice >> 16) as u8;
            self.session.set_input(self.seat, &[pad]).unwrap();
        }
        self.session.advance(now, &mut self.end);
        while let Some(request) = self.session.poll_request() {
            match request {
                Request::Save { frame } => {
                    let saved = self.states.save(frame, |slot| self.game.save(slot));
                    saved.unwrap();
                }
                Request::Load { frame } => {
                    self.game
                        .load(self.states.get(frame).expect("a state that was saved"));
                }
                Request::Step { frame, inputs, .. } => {
                    let mut pads = inputs.iter();
                    let mut pad = || {
                        pads.next()
                            .and_then(|it| it.1.first().copied())
                            .unwrap_or(0)
                    };
                    self.game.step([pad(), pad()]);
                    let parts = self.game.parts();
                    let stepped = Tick(frame.0 + 1);
                    self.watch
                        .stepped(stepped, WorldHash(whole(&parts)), |say| {
                            parts.iter().for_each(|(name, hash)| say(name, *hash));
                        });
                    self.known.insert(stepped.0, parts);
                }
                Request::Hash { frame } => {
                    let parts = self.game.parts();
                    let told = parts.map(|(name, hash)| Part { name, hash: hash.0 });
                    self.session.put_hash(frame, whole(&parts), &told);
                    let mut state = vec![0; STATE_BYTES];
                    let length = self.game.save(&mut state);
                    state.truncate(length);
                    self.compared.insert(frame, state);
                }
                Request::Confirmed { frame, inputs } => {
                    let inputs: Vec<&[u8]> = inputs.iter().map(|(_, input)| input).collect();
                    self.watch.inputs(Tick(frame.0), &inputs).unwrap();
                    if (frame.0 + 1).is_multiple_of(60) {
                        self.watch.checkpoint();
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        while self.session.poll_event().is_some() {}
        let agreed = self.session.agreed();
        if let Some(state) = self.compared.get(&agreed) {
            self.watch.agreed(Tick(agreed.0), state);
        }
    }

    fn bundle(&self, frame: Frame) -> DesyncBundle {
        self.watch.bundle(Tick(frame.0), &[], None)
    }
}

/// Plays until both have an outcome, or the time is up.
fn play(fault: Fault) -> [Host; 2] {
    let link = LinkConfig::default().latency_us(50_000).jitter_us(15_000);
    let air = NetAir::new(2, link.loss(Loss::Bernoulli(0.1)), 4);
    let mut hosts = [0, 1].map(|seat| Host::new(&air, Seat::new(seat).unwrap(), fault));
    for visit in 0..MATCH_US / VISIT_US {
        for (at, host) in hosts.iter_mut().enumerate() {
            host.visit(NetTime::from_us(visit * VISIT_US + 3_000 * at as u64));
        }
    }
    hosts
}

/// The first frame that both know and know differently, and the parts that differ in it.
fn truth([a, b]: &[Host; 2]) -> Option<(u32, Vec<&'static str>)> {
    a.known.iter().find_map(|(frame, mine)| {
        let theirs = b.known.get(frame)?;
        let parts = mine.iter().zip(theirs);
        let parts: Vec<_> = parts.filter(|(a, b)| a != b).map(|(a, _)| a.0).collect();
        (!parts.is_empty()).then_some((*frame, parts))
    })
}

#[test]
fn bundles_of_each_broken_game_name_the_frame_and_the_part() {
    for (fault, part) in CASES {
        let hosts = play(fault);
        let outcomes = hosts.each_ref().map(|host| host.session.outcome());
        if part == SAVED_BYTES {
            // Bytes in the save that are no state make no two worlds: only the sync test sees them.
            assert_eq!(outcomes, [None; 2], "{fault:?}");
            continue;
        }
        let found = outcomes.map(|outcome| match outcome {
            Some(Outcome::Desync { frame }) => frame,
            other => panic!("{fault:?}: {other:?}"),
        });
        let names = ["a", "b"].map(|end| format!("{fault:?}_{end}.desync"));
        let paths = names.map(|name| folder("desync_net").join(name));
        for ((host, frame), path) in hosts.iter().zip(found).zip(&paths) {
            std::fs::write(path, host.bundle(frame).encode()).unwrap();
        }
        let (frame, parts) = truth(&hosts).expect("they differ");
        let [a, b] = paths.each_ref().map(|path| text(path));
        let told = &lines(&stdout(&run(&["desync", a, b, "--json"])))[0];
        assert_eq!(told["verdict"], "not deterministic", "{fault:?}: {told}");
        assert_eq!(told["world"]["stepped"], frame, "{fault:?}: {told}");
        assert_eq!(told["world"]["first"], true, "{fault:?}: {told}");
        assert_eq!(
            told["world"]["parts"],
            serde_json::json!(parts),
            "{fault:?}: {told}"
        );
        assert!(parts.contains(&part), "{fault:?}: {parts:?}");
        assert!(frame <= found[0].0, "{fault:?}: found at {}", found[0]);
        let said = stdout(&run(&["desync", a, b]));
        for words in [
            format!("worlds   differ after {frame} ticks (the first that differs"),
            format!("parts    {}", parts.join(", ")),
        ] {
            assert!(said.contains(&words), "{words}\n{said}");
        }
    }
}

#[test]
fn a_sound_game_goes_on() {
    let hosts = play(Fault::None);
    for host in &hosts {
        assert_eq!(host.session.outcome(), None);
        assert!(host.session.agreed().0 >= 600, "{}", host.session.agreed());
    }
    assert_eq!(truth(&hosts), None);
}
