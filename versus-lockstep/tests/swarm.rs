//! Many short matches under whole kinds of faults, switched on and off by a seed. `SWARM_SEED=n` replays one match,
//! `SWARM_MATCHES=n` plays more of them.

mod common;

use common::{Duel, DuelConfig, Faults, ToyCommand};
use link_transport::{LinkTransport, Loss, Mode, Plan};
use match_feed::{Game, Tick, duel::Side};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use versus_lockstep::{Leave, Verdict};

/// Matches played by default.
const MATCHES: u64 = 200;

struct Dice(Pcg32);

impl Dice {
    fn below(&mut self, end: u32) -> u32 {
        self.0.next_u32() % end
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    fn loss(&mut self) -> Loss {
        let percent = f64::from(self.below(45)) / 100.0;
        match self.below(3) {
            0 => Loss::None,
            1 => Loss::Bernoulli(percent),
            _ => Loss::GilbertElliott {
                to_bad: percent / 6.0,
                to_good: 0.05 + percent / 2.0,
                lost_in_good: percent / 10.0,
                lost_in_bad: 0.95,
            },
        }
    }

    fn config(&mut self, seed: u64) -> DuelConfig {
        let faults = Faults {
            twice_percent: self.pick(&[0, 0, 10, 50]),
            late_percent: self.pick(&[0, 0, 10, 50]),
        };
        DuelConfig {
            delay: 3 + self.below(6) as u8,
            plan: self.pick(&[Plan::High, Plan::Low]),
            mode: self.pick(&[Mode::Fast, Mode::Robust]),
            latency_ms: u64::from(100 + self.below(500)),
            loss: self.loss(),
            faults,
            segments_max: self.pick(&[1, 4, 4]),
            seed,
        }
    }
}

/// How a match may go on from one second to the next.
#[derive(Clone, Copy, Default)]
struct Kinds {
    pauses: bool,
    outages: bool,
    sleeps: bool,
    periods: bool,
    resigns: bool,
    tampers: bool,
    leaves: bool,
}

fn play(seed: u64) {
    let mut dice = Dice(Pcg32::seed_from_u64(seed));
    let config = dice.config(seed);
    let kinds = Kinds {
        pauses: dice.one_in(3),
        outages: dice.one_in(3),
        sleeps: dice.one_in(4),
        periods: dice.one_in(4),
        resigns: dice.one_in(3),
        tampers: dice.one_in(6),
        leaves: dice.one_in(8),
    };
    let mut duel = Duel::new(config);
    let every = dice.pick(&[1, 4, 12, 60]);
    let burst_every = dice.pick(&[None, Some(10), Some(50)]);
    let decided_at = dice.one_in(3).then(|| Tick(50 + dice.below(250)));
    for phone in duel.phones() {
        phone.player.every = every;
        phone.player.burst_every = burst_every;
        phone.world.decided_at = decided_at;
    }
    let mut tampered_at = None;
    let mut left = false;
    for _ in 0..30 + dice.below(30) {
        duel.run_ms(u64::from(200 + dice.below(1600)));
        if kinds.outages && dice.one_in(6) {
            for phone in duel.phones() {
                let loss = dice.pick(&[Loss::All, Loss::None, config.loss]);
                phone.air.set_loss(loss);
            }
        }
        if kinds.tampers && tampered_at.is_none() && dice.one_in(20) {
            duel.red.world.tamper();
            tampered_at = Some(duel.red.tick());
        }
        for phone in duel.phones() {
            let now = phone.now();
            if kinds.pauses {
                phone.lockstep.set_paused(now, dice.one_in(4));
            }
            if kinds.sleeps && dice.one_in(6) {
                phone.asleep_frames = dice.below(200);
            }
            if kinds.periods && dice.one_in(6) {
                phone.air.set_mode(dice.pick(&[Mode::Fast, Mode::Robust]));
                phone.lockstep.set_packet_ms(dice.pick(&[100, 200, 400]));
            }
            if kinds.resigns && dice.one_in(40) {
                phone.lockstep.give(now, ToyCommand::Resign).unwrap();
            }
            if kinds.leaves && dice.one_in(60) {
                phone.lockstep.leave(Leave::Left);
                left = true;
            }
        }
        if tampered_at.is_none() {
            duel.assert_same_trails();
        }
    }
    // The air clears and everybody is back: the match goes on, or both know how it ended.
    duel.set_loss(Loss::None);
    for phone in duel.phones() {
        let now = phone.now();
        phone.lockstep.set_paused(now, false);
        phone.asleep_frames = 0;
    }
    let ticks = duel.blue.tick().max(duel.red.tick()).0 + 120;
    duel.run_until(120_000, |duel| {
        // Not verified is not the last word, unless the peer has gone.
        let ended = |verdict| match verdict {
            Verdict::Playing | Verdict::Checking => false,
            Verdict::NotVerified => left,
            _ => true,
        };
        duel.phones().iter().all(|phone| {
            let goes_on = phone.tick() >= Tick(ticks) && phone.world.outcome().is_none();
            goes_on || ended(phone.status().verdict)
        })
    });
    let verdicts = [duel.blue.status().verdict, duel.red.status().verdict];
    match tampered_at {
        None => {
            duel.assert_same_trails();
            let desync = verdicts
                .iter()
                .any(|verdict| matches!(verdict, Verdict::Desync { .. }));
            assert!(!desync, "a false desync: {verdicts:?}");
            if duel.blue.world.outcome().is_some() && duel.red.world.outcome().is_some() && !left {
                assert_eq!(duel.blue.world.outcome(), duel.red.world.outcome());
                assert_eq!(verdicts, [Verdict::InSync; 2]);
            }
        }
        Some(tick) if duel.red.tick().0 > tick.0 + 60 && !left => {
            let known = verdicts
                .iter()
                .all(|verdict| matches!(verdict, Verdict::Desync { .. }));
            assert!(known, "tampered at {tick}, undetected: {verdicts:?}");
        }
        Some(_) => {}
    }
    for phone in duel.phones() {
        assert_eq!(phone.refused, 0, "an honest peer's frame was refused");
        let seals = phone.seals;
        let status = phone.status();
        assert_eq!(seals, status.newest_sealed + 1 - u32::from(config.delay));
        assert!(
            phone
                .applied
                .iter()
                .all(|applied| Side::BOTH.contains(&applied.1))
        );
    }
}

#[test]
fn short_matches_under_every_kind_of_fault() {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let seeds = match number("SWARM_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("SWARM_MATCHES").unwrap_or(MATCHES),
    };
    for seed in seeds {
        let played = std::panic::catch_unwind(|| play(seed));
        assert!(
            played.is_ok(),
            "replay: SWARM_SEED={seed} cargo test -p versus-lockstep --test swarm"
        );
    }
}
