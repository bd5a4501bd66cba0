//! What a lobby says of a link: route check, loud own signal and its gain, band.

use link_modem::{ModemConfig, half::StatsReport};
use link_rig::{BandAdvice, BandReason, GAIN_MIN, LinkAdvice};
use link_transport::{LinkTime, Plan, Role};
use std::time::Duration;

fn config(plan: Plan, tx: Role) -> ModemConfig {
    ModemConfig::new(48_000, tx).with_plan(plan)
}

/// A lobby: reports come four times a second.
struct Lobby {
    advice: LinkAdvice,
    now: LinkTime,
    ok: u64,
    bad: u64,
    /// Gains set so far, and when, in milliseconds.
    gains: Vec<(u64, f32)>,
}

impl Lobby {
    fn new(config: ModemConfig) -> Self {
        Self {
            advice: LinkAdvice::new(config),
            now: LinkTime::ZERO,
            ok: 0,
            bad: 0,
            gains: Vec::new(),
        }
    }

    /// For a while: what the own signal reads, the peak, and of each ten packets those that arrive.
    fn run(&mut self, ms: u64, own_snr_db: Option<f32>, peak: f32, good_of_ten: u64) {
        for _ in 0..ms / 250 {
            self.now = self.now + Duration::from_millis(250);
            // Ten packets a report, so that shares are whole.
            self.ok += good_of_ten;
            self.bad += if good_of_ten > 0 { 10 - good_of_ten } else { 0 };
            let mut report = StatsReport::default();
            report.modem.locked = good_of_ten > 0;
            report.modem.snr_db = Some(14.0);
            (report.modem.rx_ok, report.modem.rx_bad) = (self.ok, self.bad);
            report.modem.own_snr_db = own_snr_db;
            report.modem.input_peak = peak;
            report.detected = Some(Plan::High);
            report.peak = peak;
            if let Some(gain) = self.advice.handle_report(self.now, &report) {
                self.gains.push((self.now.as_ms(), gain));
                assert_eq!(self.advice.gain(), gain);
            }
            assert!(
                !(self.advice.route_warning() && self.advice.is_loud()),
                "never both"
            );
        }
    }
}

#[test]
fn route_check_warns_after_3_s_without_the_own_signal() {
    for own_snr_db in [None, Some(9.9)] {
        let mut lobby = Lobby::new(config(Plan::High, Role::Host));
        lobby.run(1_000, Some(30.0), 0.1, 10);
        lobby.run(3_000, own_snr_db, 0.1, 10);
        assert!(!lobby.advice.route_warning(), "2.75 s");
        lobby.run(250, own_snr_db, 0.1, 10);
        assert!(lobby.advice.route_warning());
        let sentence = lobby.advice.route_sentence(false).unwrap();
        assert!(sentence.ends_with("or switch the host to band Low."));
        let rematch = lobby.advice.route_sentence(true).unwrap();
        assert!(rematch.ends_with("Unplug headphones or turn the volume up."));
        lobby.run(250, Some(10.0), 0.1, 10);
        assert!(!lobby.advice.route_warning(), "heard");
        assert_eq!(lobby.advice.route_sentence(false), None);
    }
}

#[test]
fn route_check_does_not_send_a_low_host_to_band_low() {
    let mut lobby = Lobby::new(config(Plan::Low, Role::Host));
    lobby.run(4_000, None, 0.1, 10);
    let sentence = lobby.advice.route_sentence(false).unwrap();
    assert!(!sentence.contains("Low"), "{sentence}");
}

#[test]
fn route_check_says_nothing_of_a_phone_that_plays_nothing_or_of_time_without_reports() {
    let silent = config(Plan::High, Role::Host).with_gain(0.0);
    let mut lobby = Lobby::new(silent);
    lobby.run(10_000, None, 0.1, 10);
    assert!(!lobby.advice.route_warning());
    let mut lobby = Lobby::new(config(Plan::High, Role::Host));
    lobby.run(500, None, 0.1, 10);
    lobby.now = lobby.now + Duration::from_secs(60);
    lobby.run(500, None, 0.1, 10);
    assert!(!lobby.advice.route_warning());
}

#[test]
fn loud_own_signal_lowers_the_gain_3_db_a_second_down_to_a_half() {
    let mut lobby = Lobby::new(config(Plan::High, Role::Host));
    lobby.run(2_000, Some(30.0), 0.6, 10);
    assert!(lobby.gains.is_empty(), "a run of 1.75 s");
    lobby.run(5_000, Some(30.0), 0.6, 10);
    // From the first loud report at 250 ms.
    let times: Vec<u64> = lobby.gains.iter().map(|gain| gain.0).collect();
    assert_eq!(times, [2_250, 3_250, 4_250]);
    assert!(
        (lobby.gains[0].1 - 0.708).abs() < 0.001,
        "3 dB: {:?}",
        lobby.gains
    );
    assert_eq!(lobby.advice.gain(), GAIN_MIN, "no lower");
    assert!(lobby.advice.is_loud());
}

#[test]
fn a_clap_or_a_voice_is_not_the_own_signal() {
    let mut lobby = Lobby::new(config(Plan::High, Role::Host));
    // Loud while the own signal is not heard.
    lobby.run(10_000, Some(9.0), 0.9, 10);
    // Loud for less than 2 s at a time.
    for _ in 0..5 {
        lobby.run(1_750, Some(30.0), 0.9, 10);
        lobby.run(250, Some(30.0), 0.5, 10);
    }
    assert!(lobby.gains.is_empty(), "{:?}", lobby.gains);
}

#[test]
fn the_gain_comes_back_1_db_every_2_s_after_5_s() {
    let mut lobby = Lobby::new(config(Plan::High, Role::Host));
    lobby.run(5_000, Some(30.0), 0.6, 10);
    let lowered = lobby.gains.len();
    lobby.run(30_000, Some(30.0), 0.3, 10);
    let up = &lobby.gains[lowered..];
    assert_eq!(up[0].0, 10_000, "5 s after the last loud report");
    assert!(
        up.windows(2).all(|pair| pair[1].0 - pair[0].0 == 2_000),
        "{up:?}"
    );
    assert!((up[0].1 / GAIN_MIN - 1.122).abs() < 0.001, "1 dB: {up:?}");
    assert_eq!(lobby.advice.gain(), 1.0, "and no further");
    assert_eq!(up.len(), 7, "{up:?}");
}

#[test]
fn band_advice_waits_then_says_that_it_works() {
    let mut lobby = Lobby::new(config(Plan::High, Role::Host));
    lobby.run(5_000, Some(30.0), 0.1, 9);
    assert_eq!(lobby.advice.band(), BandAdvice::Unknown);
    lobby.run(250, Some(30.0), 0.1, 9);
    assert_eq!(lobby.advice.band(), BandAdvice::Works);
    // A link set up anew has to show it again.
    lobby.advice.restart(config(Plan::Low, Role::Host));
    assert_eq!(lobby.advice.band(), BandAdvice::Unknown);
}

#[test]
fn a_speaker_that_does_not_play_its_band_is_named() {
    let mut lobby = Lobby::new(config(Plan::High, Role::Guest));
    lobby.run(6_000, Some(4.0), 0.1, 10);
    let BandAdvice::Fails(reason) = lobby.advice.band() else {
        panic!("{:?}", lobby.advice.band())
    };
    assert!(matches!(reason, BandReason::SpeakerSilent { .. }));
    assert_eq!(reason.fallback(), Some(Plan::Low));
    assert_eq!(
        reason.other_role(),
        Some(Role::Host),
        "to play the band below"
    );
    assert_eq!(
        reason.to_string(),
        "This phone hears its friend but not its own sound at 16–19 kHz. Let this phone host, or switch the host to \
         band Low."
    );
}

#[test]
fn a_peers_band_that_does_not_come_through_is_named() {
    let mut lobby = Lobby::new(config(Plan::High, Role::Host));
    lobby.run(6_000, Some(30.0), 0.1, 3);
    let BandAdvice::Fails(reason) = lobby.advice.band() else {
        panic!("{:?}", lobby.advice.band())
    };
    assert_eq!(reason.fallback(), Some(Plan::Low));
    assert_eq!(
        reason.other_role(),
        Some(Role::Guest),
        "to hear the band below"
    );
    assert_eq!(
        reason.to_string(),
        "This phone hears itself, but only 30 % of its friend's packets (14 dB). Put the phones closer, let the other \
         phone host, or switch to band Low."
    );
    let mut lobby = Lobby::new(config(Plan::High, Role::Guest));
    lobby.run(6_000, Some(30.0), 0.1, 3);
    let BandAdvice::Fails(reason) = lobby.advice.band() else {
        panic!("{:?}", lobby.advice.band())
    };
    assert_eq!(reason.fallback(), Some(Plan::Low));
    assert_eq!(reason.other_role(), None, "it hears the lower band already");
    assert!(
        reason
            .to_string()
            .ends_with("or switch the host to band Low.")
    );
    let mut lobby = Lobby::new(config(Plan::Low, Role::Host));
    lobby.run(6_000, Some(30.0), 0.1, 3);
    let BandAdvice::Fails(reason) = lobby.advice.band() else {
        panic!("{:?}", lobby.advice.band())
    };
    assert_eq!(
        (reason.fallback(), reason.other_role()),
        (None, None),
        "there is no other"
    );
}

#[test]
fn no_peer_is_no_verdict_on_the_band() {
    let mut lobby = Lobby::new(config(Plan::High, Role::Host));
    lobby.run(20_000, Some(30.0), 0.1, 0);
    assert_eq!(lobby.advice.band(), BandAdvice::Unknown);
    // Neither itself nor its peer well: the route or the volume, not the band.
    lobby.run(20_000, None, 0.1, 3);
    assert_eq!(lobby.advice.band(), BandAdvice::Unknown);
    assert!(lobby.advice.route_warning());
}
