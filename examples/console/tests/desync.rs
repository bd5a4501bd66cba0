//! Two bundles of a match that came apart, as a person would look into it.

mod common;
use common::{failure, folder, lines, run, stdout, text};
use game_sim::{Command, World};
use match_feed::{
    DesyncBundle, DesyncWatch, Game, KeptState, Order, PlayedMatch, Seat, SeatSet, Tick, TickRate,
    duel::{MapChoice, MatchSetup, PerSide},
};
use std::path::PathBuf;

/// What one machine does wrong, or is told wrongly.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Its world is another after the step of this tick.
    World(u32),
    /// It is told that red resigned in this tick.
    Told(u32),
}

fn setup() -> MatchSetup {
    MatchSetup {
        map: MapChoice::BuiltIn(0),
        mutators: 0,
        seed: 7,
        openers: PerSide {
            blue: None,
            red: None,
        },
    }
}

fn bundle(fault: Fault) -> DesyncBundle {
    let played = PlayedMatch {
        game: "skirmish".into(),
        game_id: 1,
        rate: TickRate::new(10).unwrap(),
        seats: 2,
        seed: 7,
        setup: serde_json::to_vec(&setup()).unwrap(),
    };
    let local = SeatSet::only(Seat::new(u8::from(fault != Fault::None)).unwrap());
    let mut watch = DesyncWatch::new(played, "x86-64, a test", local);
    let mut world = World::new(&setup()).unwrap();
    let parts = |world: &World, watch: &mut DesyncWatch, stepped: Tick| {
        watch.stepped(stepped, world.hash(), |part| {
            world.hash_parts(&mut |name, hash| part(name, hash))
        });
    };
    parts(&world, &mut watch, Tick(0));
    for tick in 0..150 {
        let order = serde_json::to_vec(&[Command::Resign]).unwrap();
        let told = fault == Fault::Told(tick);
        let inputs = [&[][..], if told { &order[..] } else { &[] }];
        watch.inputs(Tick(tick), &inputs).unwrap();
        let red = Seat::new(1).unwrap();
        let orders = told.then_some(Order {
            seat: red,
            command: Command::Resign,
        });
        world.step(orders.as_slice());
        if fault == Fault::World(tick) {
            // A tick too many.
            world.step(&[]);
        }
        parts(&world, &mut watch, Tick(tick + 1));
        if tick + 1 == 50 {
            watch.agreed(Tick(50), &world.save().unwrap());
        }
    }
    let diverged = KeptState {
        stepped: Tick(150),
        bytes: world.save().unwrap(),
    };
    watch.bundle(Tick(100), &[], Some(diverged))
}

fn file(name: &str, bundle: &DesyncBundle) -> PathBuf {
    let path = folder("desync").join(name);
    std::fs::write(&path, bundle.encode()).unwrap();
    path
}

#[test]
fn a_game_that_is_not_deterministic_is_told_with_tick_part_and_fields() {
    let a = file("good", &bundle(Fault::None));
    let b = file("bad", &bundle(Fault::World(77)));
    let said = stdout(&run(&["desync", text(&a), text(&b)]));
    for words in [
        "inputs   equal in the 100 ticks that both hold",
        "worlds   differ after 78 ticks (the first that differs: the tick before is equal)",
        "this machine plays A as A did",
        "this machine plays B otherwise than B did, first after 78 ticks: tick",
        "same inputs, worlds differ: the game is not deterministic",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    let told = &lines(&stdout(&run(&["desync", text(&a), text(&b), "--json"])))[0];
    assert_eq!(told["verdict"], "not deterministic");
    assert_eq!(told["world"]["stepped"], 78);
    assert_eq!(told["world"]["parts"][0], "tick");
    assert_eq!(told["replay"]["b"]["first_difference"], 78);
    assert_eq!(
        told["replay"]["a"]["first_difference"],
        serde_json::Value::Null
    );
    let fields = told["fields"]["tick"].as_str().unwrap();
    assert!(fields.contains("150") && fields.contains("151"), "{fields}");
}

#[test]
fn a_lying_peer_is_told_with_seat_and_tick() {
    let a = file("honest", &bundle(Fault::None));
    let b = file("lied_to", &bundle(Fault::Told(90)));
    let said = stdout(&run(&["desync", text(&a), text(&b)]));
    for words in [
        "seat 1's input of tick 90 is the first that differs",
        "A holds nothing",
        "a lying peer",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    let told = &lines(&stdout(&run(&["desync", text(&a), text(&b), "--json"])))[0];
    assert_eq!(
        (
            &told["verdict"],
            &told["input"]["tick"],
            &told["input"]["seat"]
        ),
        (&"inputs differ".into(), &90.into(), &1.into())
    );
    assert_eq!(
        told["replay"]["b"]["first_difference"],
        serde_json::Value::Null,
        "B played what it was told"
    );
}

#[test]
fn what_is_no_pair_of_bundles_is_refused_with_the_file_named() {
    let a = file("one", &bundle(Fault::None));
    let missing = failure(&run(&["desync", text(&a), "/nowhere/at.all"]));
    assert!(missing.contains("/nowhere/at.all"), "{missing}");
    let mut changed = std::fs::read(&a).unwrap();
    changed[60] ^= 1;
    let broken = folder("desync").join("broken");
    std::fs::write(&broken, changed).unwrap();
    let said = failure(&run(&["desync", text(&a), text(&broken)]));
    assert!(said.contains("broken: the file was changed"), "{said}");
    std::fs::write(&broken, "what").unwrap();
    let said = failure(&run(&["desync", text(&broken), text(&a)]));
    assert!(said.contains("not a desync bundle"), "{said}");
    let mut other = bundle(Fault::None);
    other.played.seed = 9;
    let other = file("other", &other);
    let said = stdout(&run(&["desync", text(&a), text(&other)]));
    assert!(
        said.contains("the seeds differ") && said.contains("two matches"),
        "{said}"
    );
}

#[test]
fn a_game_that_is_not_known_here_is_compared_all_the_same() {
    let change = |mut bundle: DesyncBundle| {
        bundle.played.game = "chess".into();
        bundle
    };
    let a = file("chess_a", &change(bundle(Fault::None)));
    let b = file("chess_b", &change(bundle(Fault::World(77))));
    let said = stdout(&run(&["desync", text(&a), text(&b)]));
    assert!(
        said.contains("differ after 78 ticks") && said.contains("not known here"),
        "{said}"
    );
}
