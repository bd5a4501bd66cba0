//! How matches end: decided, resigned, left, desynced, never verified.

mod common;

use common::{Duel, DuelConfig, Lab, ToyCommand, walk};
use link_transport::Loss;
use match_feed::{
    EndReason, Game, Outcome, Tick, WorldHash,
    duel::{DuelOutcome, Side},
};
use versus_lockstep::{End, Leave, Verdict};

fn resign(duel: &mut Duel) -> Tick {
    let now = duel.blue.now();
    duel.blue.lockstep.give(now, ToyCommand::Resign).unwrap();
    duel.blue.tick()
}

fn verdicts(duel: &Duel) -> [Verdict; 2] {
    [duel.blue.status().verdict, duel.red.status().verdict]
}

fn reports(duel: &Duel) -> [End; 2] {
    [duel.blue.status().end, duel.red.status().end]
}

/// At 0, 10 and 30 % loss.
fn losses() -> [Loss; 3] {
    [Loss::None, Loss::Bernoulli(0.1), Loss::Bernoulli(0.3)]
}

#[test]
fn a_resignation_lands_on_the_same_tick_on_both_and_they_verify() {
    for loss in losses() {
        let mut duel = Duel::new(DuelConfig {
            loss,
            ..DuelConfig::default()
        });
        duel.play(200, 60_000);
        resign(&mut duel);
        duel.run_until(20_000, |duel| verdicts(duel) == [Verdict::InSync; 2]);
        assert_eq!(duel.blue.tick(), duel.red.tick());
        assert_eq!(duel.blue.trails, duel.red.trails);
        let outcome = Outcome::from(DuelOutcome {
            winner: Some(Side::Red),
            reason: EndReason::Resign,
        });
        assert_eq!(duel.blue.world.outcome(), Some(outcome));
        assert_eq!(duel.red.world.outcome(), Some(outcome));
        let [own, peer] = reports(&duel);
        assert_eq!(own, peer);
        assert!(matches!(own, End::Decided(report) if report.tick.next() == duel.blue.tick()));
    }
}

#[test]
fn a_resignation_lands_d_ticks_later_whatever_waits() {
    let mut duel = Duel::new(DuelConfig {
        segments_max: 1,
        ..DuelConfig::default()
    });
    duel.blue.player.burst_every = Some(20);
    duel.run_until(60_000, |duel| {
        duel.blue.tick().0 >= 200 && duel.blue.status().queued >= 4
    });
    let given = resign(&mut duel);
    // Given after this tick was sealed, it is in the next one's turn.
    let sealed_already = duel.blue.status().newest_sealed == given.0 + 5;
    duel.run_until(20_000, |duel| verdicts(duel) == [Verdict::InSync; 2]);
    let landed = duel
        .red
        .applied
        .iter()
        .find(|applied| applied.2 == ToyCommand::Resign)
        .unwrap();
    assert_eq!(landed.0, given.plus(5 + u32::from(sealed_already)));
}

#[test]
fn both_resign_in_the_same_tick_a_draw() {
    let mut duel = Duel::new(DuelConfig::default());
    duel.play(100, 60_000);
    duel.run_until(1000, |duel| duel.blue.tick() == duel.red.tick());
    for phone in duel.phones() {
        // Sealed for the same turn, whichever has sealed already.
        let now = phone.now();
        phone.lockstep.give(now, ToyCommand::Resign).unwrap();
    }
    duel.run_until(20_000, |duel| verdicts(duel) == [Verdict::InSync; 2]);
    assert_eq!(duel.blue.world.outcome(), duel.red.world.outcome());
    assert_eq!(duel.blue.trails, duel.red.trails);
}

#[test]
fn a_decision_by_the_world_is_verified() {
    for (loss, decided) in losses().into_iter().zip([123, 250, 251]) {
        let mut duel = Duel::new(DuelConfig {
            loss,
            ..DuelConfig::default()
        });
        for phone in duel.phones() {
            phone.world.decided_at = Some(Tick(decided));
            phone.player.every = 1; // the turns after the decision are full, and described as empty
        }
        duel.run_until(120_000, |duel| verdicts(duel) == [Verdict::InSync; 2]);
        assert_eq!(
            (duel.blue.tick(), duel.red.tick()),
            (Tick(decided + 1), Tick(decided + 1))
        );
        assert_eq!(duel.blue.trails, duel.red.trails);
    }
}

#[test]
fn a_desync_is_caught_at_the_next_checkpoint_by_both() {
    for (loss, tampered) in losses().into_iter().zip([777, 755, 749]) {
        let mut duel = Duel::new(DuelConfig {
            loss,
            ..DuelConfig::default()
        });
        duel.play(tampered, 200_000);
        duel.blue.world.tamper();
        let from = duel.blue.tick();
        duel.run_until(60_000, |duel| {
            verdicts(duel)
                .iter()
                .all(|verdict| matches!(verdict, Verdict::Desync { .. }))
        });
        let checkpoint = from.0.next_multiple_of(50);
        let found = verdicts(&duel);
        assert!(
            found.contains(&Verdict::Desync {
                tick: Tick(checkpoint)
            }),
            "{found:?}"
        );
        for phone in duel.phones() {
            // 50 ticks to the checkpoint, and what was stepped until it was heard of.
            let late = phone.tick().0 - checkpoint;
            assert!(
                late <= 30,
                "caught {late} ticks after checkpoint {checkpoint}"
            );
            assert_eq!(phone.status().end, End::Desync);
        }
        assert_eq!(reports(&duel), [End::Desync; 2]);
    }
}

#[test]
fn a_desync_after_the_last_checkpoint_is_caught_by_the_end_check() {
    let mut duel = Duel::new(DuelConfig::default());
    for phone in duel.phones() {
        phone.world.decided_at = Some(Tick(240));
    }
    duel.play(210, 60_000);
    duel.red.world.tamper();
    duel.run_until(60_000, |duel| {
        verdicts(duel)
            .iter()
            .all(|verdict| matches!(verdict, Verdict::Desync { .. }))
    });
    assert_eq!((duel.blue.tick(), duel.red.tick()), (Tick(241), Tick(241)));
}

#[test]
fn a_decision_the_other_world_does_not_come_to_is_a_desync() {
    let mut duel = Duel::new(DuelConfig::default());
    duel.red.world.decided_at = Some(Tick(210));
    duel.run_until(60_000, |duel| {
        verdicts(duel)
            .iter()
            .all(|verdict| matches!(verdict, Verdict::Desync { .. }))
    });
    assert!(verdicts(&duel).contains(&Verdict::Desync { tick: Tick(210) }));
}

#[test]
fn a_decision_with_no_reply_is_not_verified_after_ten_seconds_and_verified_once_it_comes() {
    let mut duel = Duel::new(DuelConfig::default());
    for phone in duel.phones() {
        phone.world.decided_at = Some(Tick(200));
    }
    duel.run_until(60_000, |duel| {
        duel.blue.tick() == Tick(201) || duel.red.tick() == Tick(201)
    });
    duel.set_loss(Loss::All);
    let decided = usize::from(duel.red.tick() == Tick(201));
    duel.run_ms(9_500);
    assert_eq!(verdicts(&duel)[decided], Verdict::Checking);
    duel.run_ms(1_000);
    assert_eq!(verdicts(&duel)[decided], Verdict::NotVerified);
    duel.set_loss(Loss::None);
    duel.run_until(5_000, |duel| verdicts(duel) == [Verdict::InSync; 2]);
}

#[test]
fn leaving_ends_the_match_at_the_other_at_once() {
    for loss in losses() {
        let mut duel = Duel::new(DuelConfig {
            loss,
            ..DuelConfig::default()
        });
        duel.play(100, 60_000);
        duel.red.lockstep.leave(Leave::Left);
        duel.run_until(2_000, |duel| {
            duel.blue.status().verdict == Verdict::PeerLeft
        });
        assert_eq!(duel.red.status().verdict, Verdict::Left);
        assert_eq!(duel.blue.status().peer_end, End::Left);
        let tick = duel.blue.tick();
        duel.run_ms(1_000);
        assert_eq!(duel.blue.tick(), tick, "nothing is stepped after the end");
    }
}

#[test]
fn a_desync_found_by_the_host_is_told() {
    let mut duel = Duel::new(DuelConfig::default());
    duel.play(100, 60_000);
    duel.blue.lockstep.leave(Leave::Desync);
    duel.run_until(2_000, |duel| {
        matches!(duel.red.status().verdict, Verdict::Desync { .. })
    });
    assert_eq!(reports(&duel), [End::Desync; 2]);
}

#[test]
fn leaving_after_the_decision_keeps_the_end_report_on_the_air() {
    let mut duel = Duel::new(DuelConfig::default());
    for phone in duel.phones() {
        phone.world.decided_at = Some(Tick(150));
    }
    duel.run_until(60_000, |duel| duel.blue.tick() == Tick(151));
    duel.blue.lockstep.leave(Leave::Left);
    duel.run_until(10_000, |duel| verdicts(duel) == [Verdict::InSync; 2]);
    assert!(matches!(duel.blue.status().end, End::Decided(_)));
}

#[test]
fn a_match_never_stepped_can_say_that_it_is_left() {
    let mut duel = Duel::new(DuelConfig::default());
    duel.blue.lockstep.leave(Leave::Left);
    duel.run_until(2_000, |duel| duel.red.status().verdict == Verdict::PeerLeft);
}

/// Red's world is decided by tick `tick`; blue hears of it when it has stepped `blue_ticks`.
fn decided_at_red_alone(tick: u32, blue_ticks: u32) -> Lab {
    let mut lab = Lab::new(5);
    for _ in 0..tick.min(blue_ticks) {
        lab.tick();
    }
    for _ in 0..6 {
        lab.seal();
        lab.red_hears();
        let now = lab.now();
        for (phone, ticks, decided_by) in [
            (&mut lab.blue, blue_ticks, None),
            (&mut lab.red, tick + 1, Some(tick)),
        ] {
            let next = phone.status(now).tick;
            if next.0 < ticks && phone.orders(next).is_some() {
                let outcome = decided_by.filter(|&by| by == next.0);
                let hash = WorldHash(next.0.into());
                phone.stepped(now, next, hash, outcome.map(|_| Outcome::draw()));
            }
        }
        lab.collect();
        if lab.red.status(now).end == End::Playing {
            lab.blue_hears();
        }
    }
    assert!(matches!(lab.red.status(lab.now()).end, End::Decided(_)));
    assert_eq!(lab.blue.status(lab.now()).tick, Tick(blue_ticks));
    lab.blue_hears();
    assert_eq!(lab.blue.status(lab.now()).verdict, Verdict::Playing);
    lab.ms += 100;
    lab.blue_hears();
    lab
}

#[test]
fn the_peer_decides_at_a_tick_that_this_phone_has_stepped_without() {
    let lab = decided_at_red_alone(20, 22);
    let desync = Verdict::Desync { tick: Tick(20) };
    assert_eq!(lab.blue.status(lab.now()).verdict, desync);
}

#[test]
fn the_peer_decides_at_a_tick_that_this_phone_then_steps_without() {
    let mut lab = decided_at_red_alone(20, 19);
    for (tick, verdict) in [
        (19, Verdict::Playing),
        (20, Verdict::Desync { tick: Tick(20) }),
    ] {
        assert_eq!(lab.blue.status(lab.now()).verdict, Verdict::Playing);
        lab.seal();
        let now = lab.now();
        assert!(lab.blue.orders(Tick(tick)).is_some());
        lab.blue
            .stepped(now, Tick(tick), WorldHash(tick.into()), None);
        assert_eq!(lab.blue.status(now).verdict, verdict);
    }
}

#[test]
fn turns_after_the_decision_are_described_as_empty() {
    let mut lab = Lab::new(5);
    for _ in 0..10 {
        lab.tick();
    }
    // Every turn from 15 on has a command, and red hears of none of them.
    for first in 0..4 {
        lab.give(walk(first));
        lab.seal();
        lab.blue_hears();
        lab.step();
    }
    lab.give(walk(9));
    lab.seal();
    lab.blue_hears();
    assert_eq!(lab.described(&lab.blue_frames[0]).3.first(), Some(&15));
    let now = lab.now();
    let tick = lab.blue_tick();
    assert_eq!(tick, Tick(14));
    assert!(lab.blue.orders(tick).is_some());
    lab.blue
        .stepped(now, tick, WorldHash(1), Some(Outcome::draw()));
    lab.collect();
    assert_eq!(lab.described(&lab.blue_frames[0]).3, [0_u32; 0]);
}
