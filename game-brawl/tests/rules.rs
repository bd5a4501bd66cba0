//! The rules, one at a time, on two fighters.

mod common;

use common::{fight, hold, step};
use game_brawl::{Act, BrawlSetup, FxKind, Pad, Phase, World, rules};
use match_feed::Game;

const NO: Pad = Pad::NEUTRAL;

/// Both walk until a blow of `reach` units touches.
fn close(reach: i32) -> World {
    let mut world = fight();
    while gap(&world) > reach {
        step(&mut world, &[Pad::RIGHT, Pad::LEFT]);
    }
    hold(&mut world, 1, &[NO, NO]);
    world
}

/// Between the bodies' fronts, units.
fn gap(world: &World) -> i32 {
    let [one, other] = world.fighters() else {
        panic!("two fight")
    };
    (other.x - one.x) / rules::UNIT - 2 * rules::BODY_HALF
}

/// Steps until `act` is over.
fn until_free(world: &mut World, at: usize, pads: &[Pad]) -> usize {
    (1..200)
        .find(|_| {
            step(world, pads);
            world.fighters()[at].act == Act::Free && world.fighters()[at].grounded()
        })
        .expect("it ends")
}

#[test]
fn walking_and_jumping_are_as_fast_as_the_numbers_say() {
    let mut world = fight();
    let from = world.fighters()[0].x;
    hold(&mut world, 60, &[Pad::LEFT]);
    assert_eq!(
        world.fighters()[0].x - from,
        -rules::WALK_SPEED * rules::UNIT
    );
    hold(&mut world, 1, &[Pad::UP]);
    let mut highest = 0;
    for _ in 0..120 {
        step(&mut world, &[NO]);
        highest = highest.max(world.fighters()[0].unit_y());
    }
    let expected = rules::JUMP_SPEED * rules::JUMP_SPEED / (2 * rules::GRAVITY);
    assert!(
        (highest - expected).abs() <= rules::JUMP_SPEED / 60,
        "{highest}"
    );
    assert!(world.fighters()[0].grounded());
    hold(&mut world, 1_000, &[Pad::LEFT]);
    assert_eq!(
        world.fighters()[0].unit_x(),
        rules::BODY_HALF - rules::STAGE_WIDTH / 2
    );
}

#[test]
fn a_punch_hits_within_its_reach_after_its_startup() {
    let mut world = close(rules::PUNCH_REACH - 5);
    step(&mut world, &[Pad::PUNCH, NO]);
    for _ in 1..=rules::PUNCH.startup {
        assert_eq!(world.fighters()[1].health, rules::HEALTH);
        step(&mut world, &[Pad::PUNCH, NO]);
    }
    assert_eq!(
        world.fighters()[1].health,
        rules::HEALTH - rules::PUNCH.damage
    );
    assert_eq!(world.fighters()[1].act, Act::Hurt);
    until_free(&mut world, 0, &[Pad::PUNCH, NO]);
    assert_eq!(
        world.fighters()[1].health,
        rules::HEALTH - rules::PUNCH.damage,
        "a blow hits once"
    );
    let mut far = close(rules::PUNCH_REACH + 45);
    hold(&mut far, 40, &[Pad::PUNCH, NO]);
    assert_eq!(far.fighters()[1].health, rules::HEALTH);
}

#[test]
fn blows_of_one_tick_hit_both() {
    let mut world = close(40);
    hold(&mut world, 12, &[Pad::PUNCH, Pad::PUNCH]);
    let healths: Vec<i16> = world
        .fighters()
        .iter()
        .map(|fighter| fighter.health)
        .collect();
    assert_eq!(healths, [rules::HEALTH - rules::PUNCH.damage; 2]);
}

#[test]
fn what_is_blocked_how() {
    let crouch = Pad::BLOCK.and(Pad::DOWN);
    let sweep = Pad::DOWN.and(Pad::KICK);
    for (blow, guard, damage) in [
        (Pad::KICK, Pad::BLOCK, rules::CHIP),
        (Pad::KICK, crouch, rules::CHIP),
        (sweep, crouch, rules::CHIP),
        (sweep, Pad::BLOCK, rules::SWEEP.damage),
    ] {
        let mut world = close(50);
        hold(&mut world, 30, &[blow, guard]);
        assert_eq!(
            rules::HEALTH - world.fighters()[1].health,
            damage,
            "{blow:?} {guard:?}"
        );
    }
    // From behind nothing is blocked: he looks away.
    let mut world = close(30);
    step(&mut world, &[NO, Pad::RIGHT]);
    hold(&mut world, 30, &[Pad::KICK, Pad::BLOCK]);
    assert_eq!(
        rules::HEALTH - world.fighters()[1].health,
        rules::KICK.damage
    );
}

#[test]
fn a_guard_breaks() {
    let mut world = close(30);
    for _ in 0..40 {
        let near = gap(&world) > 40;
        let walk = if near { Pad::RIGHT } else { Pad::KICK };
        hold(&mut world, 1, &[walk, Pad::BLOCK]);
        hold(&mut world, if near { 0 } else { 30 }, &[NO, Pad::BLOCK]);
        if world.fighters()[1].act == Act::Hurt {
            return;
        }
    }
    panic!("the guard never broke: {:?}", world.fighters()[1]);
}

#[test]
fn a_grab_beats_a_block_and_a_throw_follows() {
    let mut world = close(30);
    hold(&mut world, 7, &[Pad::GRAB, Pad::BLOCK]);
    assert_eq!(
        [world.fighters()[0].act, world.fighters()[1].act],
        [Act::Hold, Act::Held]
    );
    hold(&mut world, 12, &[NO, NO]);
    step(&mut world, &[Pad::THROW, NO]);
    assert_eq!(world.fighters()[1].act, Act::Tumbling);
    assert_eq!(
        world.fighters()[1].health,
        rules::HEALTH - rules::THROW_DAMAGE
    );
    until_free(&mut world, 1, &[NO, NO]);
    assert!(gap(&world) > 200, "{}", gap(&world));
}

#[test]
fn a_hold_is_broken_in_time_and_ends_by_itself() {
    let mut world = close(30);
    hold(&mut world, 7, &[Pad::GRAB, NO]);
    step(&mut world, &[NO, Pad::GRAB]);
    assert_eq!(
        [world.fighters()[0].act, world.fighters()[1].act],
        [Act::Hurt; 2]
    );
    let mut world = close(30);
    hold(&mut world, 7, &[Pad::GRAB, NO]);
    hold(&mut world, rules::HOLD_TICKS.into(), &[NO, NO]);
    assert_ne!(world.fighters()[1].act, Act::Held);
    assert_eq!(world.fighters()[1].health, rules::HEALTH);
}

#[test]
fn two_who_grab_each_other_part() {
    let mut world = close(30);
    hold(&mut world, 7, &[Pad::GRAB, Pad::GRAB]);
    assert_eq!(
        [world.fighters()[0].act, world.fighters()[1].act],
        [Act::Hurt; 2]
    );
    hold(&mut world, 20, &[NO, NO]);
    assert!(gap(&world) > 50);
}

#[test]
fn a_ball_is_picked_up_thrown_and_hits() {
    for seed in 0..20 {
        let mut world = World::new(BrawlSetup::new(2, seed).unwrap());
        // Balls have come and lie still.
        hold(&mut world, 60 + 330 + 300, &[]);
        let Some(ball) = world.balls().min_by_key(|ball| ball.x).copied() else {
            panic!("no ball came");
        };
        let mut picked = false;
        for _ in 0..600 {
            let way = ball.x - world.fighters()[0].x;
            let near = way.abs() / rules::UNIT < 60;
            let walk = if way < 0 { Pad::LEFT } else { Pad::RIGHT };
            step(
                &mut world,
                &[if near { walk.and(Pad::GRAB) } else { walk }, NO],
            );
            picked = world.ball_of(0).is_some();
            if picked {
                break;
            }
            hold(&mut world, 0, &[NO, NO]);
        }
        if !picked {
            continue; // it rolled away
        }
        let towards = |world: &World| {
            let [one, other] = world.fighters() else {
                panic!()
            };
            if other.x > one.x {
                Pad::RIGHT
            } else {
                Pad::LEFT
            }
        };
        step(&mut world, &[NO, NO]);
        let pads = [towards(&world).and(Pad::THROW), NO];
        step(&mut world, &pads);
        let mut hit = false;
        for _ in 0..120 {
            step(&mut world, &[NO, NO]);
            hit |= world
                .fx()
                .iter()
                .any(|fx| fx.fighter == Some(1) && matches!(fx.kind, FxKind::Hit { .. }));
        }
        if hit {
            assert!(world.fighters()[1].health < rules::HEALTH);
            return;
        }
    }
    panic!("no ball of twenty matches hit");
}

#[test]
fn rounds_make_a_match() {
    let setup = BrawlSetup::new(2, 1).unwrap().with_wins(2).unwrap();
    let mut world = World::new(setup);
    let mut rounds = 0;
    while world.outcome().is_none() {
        let kick = world.tick().is_multiple_of(25) && gap(&world) < 60;
        let other_lies = !world.fighters()[1].open();
        let pad = match (kick, other_lies) {
            (_, true) => NO,
            (true, _) => Pad::KICK,
            _ if gap(&world) > 50 => Pad::RIGHT,
            _ => NO,
        };
        step(&mut world, &[pad, NO]);
        if world.fx().iter().any(|fx| fx.kind == FxKind::RoundOver) {
            rounds += 1;
            assert_eq!(world.fighters()[0].wins, rounds);
            assert_eq!(world.round_winner(), Some(0));
        }
        assert!(world.tick() < 20_000);
    }
    assert_eq!((rounds, world.phase()), (2, Phase::Over));
    let hash = world.hash();
    hold(&mut world, 5, &[Pad::LEFT, Pad::LEFT]);
    assert_eq!(world.hash(), hash, "what is decided stays");
}
