//! The bars that the design sets, on fewer seeds and less time. Virtual time: these come out the same on every machine.

use super::*;

fn row(case: Case) -> Outcome {
    play(case, ours::make, 5, 120, no_clock).expect("the match starts")
}

#[test]
fn lockstep_keeps_the_pace() {
    let bars = [
        (Loss::None, 59.9),
        (Loss::Bernoulli(0.10), 59.9),
        (Loss::Bernoulli(0.25), 59.5),
    ];
    for (loss, bar) in bars {
        let came = row(Case::lockstep(loss));
        assert!(came.fps >= bar, "{loss:?}: {came:?}");
    }
    let adaptive = row(Case {
        delay_max: 8,
        ..Case::lockstep(bursts(0.10))
    });
    assert!(adaptive.fps >= 59.0, "{adaptive:?}");
}

#[test]
fn rollback_keeps_the_pace_and_both_sides_share_what_clocks_do() {
    let came = row(Case::rollback(bursts(0.25)));
    assert!(came.fps >= 59.6 && came.freeze <= 12, "{came:?}");
    let skew = row(Case {
        skew_ppm: 5_000,
        slew: true,
        ..Case::rollback(Loss::None)
    });
    assert!(
        skew.skipped == 0.0 && (skew.depth[0] - skew.depth[1]).abs() <= 0.5,
        "{skew:?}"
    );
    assert!(
        skew.again[0] > 0.0 && skew.again[1] > 0.0,
        "something was predicted: {skew:?}"
    );
}

#[test]
fn packets_are_few_and_small() {
    let calm = row(Case::lockstep(Loss::None));
    assert!(
        calm.packet_bytes <= 22.0 && calm.packets <= 62.0 && calm.kb() <= 3.2,
        "{calm:?}"
    );
    let lossy = row(Case::lockstep(Loss::Bernoulli(0.10)));
    assert!(lossy.packets <= 124.0 && lossy.kb() <= 5.6, "{lossy:?}");
}

#[test]
fn damage_is_loss() {
    let damaged = row(Case {
        link: Case::lockstep(Loss::None).link.damage(0.02),
        ..Case::lockstep(Loss::None)
    });
    let lost = row(Case::lockstep(Loss::Bernoulli(0.02)));
    assert!(
        (damaged.fps - lost.fps).abs() <= 0.1,
        "{damaged:?} and {lost:?}"
    );
}

#[test]
fn eight_frames_are_rolled_back_where_that_is_measured() {
    let mut run = eight_back().expect("the match starts");
    run.frames(120, |frame| frame());
    let came = run.outcome();
    assert!(
        (7.5..9.5).contains(&came.depth[0]) && came.again[0] > 7.5,
        "{came:?}"
    );
}

#[test]
fn crowds_agree_and_a_guest_comes_in() {
    assert_eq!(crowd::desyncs(6).expect("matches start"), 0);
    let joined = crowd::join(20).expect("the guest comes in");
    assert!(
        joined.took_s > 0.3 && joined.took_s <= 2.0,
        "64 KiB take half a second: {joined:?}"
    );
    assert_eq!(joined.stalled, 0);
}
