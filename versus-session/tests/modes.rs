//! In which mode each phone sends, and what it says of what it hears.

mod common;

use common::*;
use link_transport::{AirConfig, Loss, Mode};
use versus_session::{ModePolicy, SessionEvent, SessionPhase};

#[test]
fn go_goes_out_in_the_lobbys_mode_and_the_match_begins_in_its_own() {
    let mut pair = Pair::new(fast());
    pair.guest.load_ms = 3_000;
    pair.host.load_ms = 3_000;
    let ready = |pair: &mut Pair| {
        pair.statuses()
            .iter()
            .all(|s| s.phase == SessionPhase::Ready)
    };
    assert!(pair.run_until(30_000, ready));
    pair.run_ms(2_000);
    for status in pair.statuses() {
        assert_eq!(
            (status.mode, status.link.tx_mode),
            (Mode::Robust, Mode::Robust)
        );
        assert_eq!(status.phase, SessionPhase::Ready);
    }
    pair.begin();
    pair.run_ms(500);
    for status in pair.statuses() {
        assert_eq!((status.mode, status.link.tx_mode), (Mode::Fast, Mode::Fast));
    }
}

#[test]
fn a_poor_direction_goes_robust_alone_and_comes_back() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(4_000);
    // The guest hears the host at 4 dB: rxq 1.
    pair.guest.session.transport_mut().end.set_snr_db(4.0);
    pair.run_ms(4_000);
    let modes = |pair: &Pair| pair.statuses().map(|status| status.link.tx_mode);
    assert_eq!(modes(&pair), [Mode::Robust, Mode::Fast]);
    assert!(pair.host.events.contains(&SessionEvent::Mode(Mode::Robust)));
    pair.guest.session.transport_mut().end.set_snr_db(13.0);
    pair.run_ms(8_000);
    assert_eq!(modes(&pair), [Mode::Robust, Mode::Fast], "not before 10 s");
    pair.run_ms(4_000);
    assert_eq!(modes(&pair), [Mode::Fast, Mode::Fast]);
    pair.assert_same_worlds();
}

#[test]
fn a_direction_that_loses_everything_goes_robust_by_the_missing_acknowledgements() {
    let mut pair = Pair::new(fast());
    pair.begin();
    pair.run_ms(4_000);
    pair.host.session.transport_mut().end.set_loss(Loss::All);
    pair.run_ms(5_000);
    // The guest's frames arrive and acknowledge nothing new: the host falls back. The guest hears nothing, so no rule
    // of its own applies.
    let modes = pair.statuses().map(|status| status.link.tx_mode);
    assert_eq!(modes, [Mode::Robust, Mode::Fast]);
}

#[test]
fn a_kept_mode_stays_whatever_is_heard() {
    let mut pair = Pair::new(Setup {
        modes: ModePolicy::Keep,
        ..fast()
    });
    pair.begin();
    pair.guest.session.transport_mut().end.set_snr_db(1.0);
    pair.run_ms(15_000);
    assert_eq!(pair.statuses()[0].link.tx_mode, Mode::Fast);
}

#[test]
fn receive_quality_is_a_third_of_the_decibels_and_goes_stale_after_a_second() {
    for (snr_db, rxq) in [
        (-3.0, 0),
        (2.9, 0),
        (3.0, 1),
        (11.9, 3),
        (12.0, 4),
        (20.9, 6),
        (60.0, 7),
    ] {
        let mut pair = Pair::new(Setup {
            air: AirConfig::default().with_snr_db([snr_db; 2]),
            ..fast()
        });
        pair.run_ms(2_000);
        assert_eq!(pair.statuses()[0].rxq, rxq, "{snr_db} dB");
        pair.guest.session.transport_mut().end.set_loss(Loss::All);
        pair.run_ms(1_600);
        assert_eq!(pair.statuses()[0].rxq, 0, "stale");
    }
}
