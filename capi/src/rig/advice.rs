//! Link level: what a lobby says of the link
//!
//! From the modem's own measurements: sound goes to the wrong place, the phone is so loud that its microphone clips (and
//! what loudness to set), the band plan does not work on this phone.

use crate::{
    handle::{self, Fault, kind},
    link::{duel_link, duel_link_config, modem_config},
    sized::{self, put, sized},
    status::*,
    text::Text,
    words::*,
};
use core::ffi::c_char;
use link_modem::ModemConfig;
use link_rig::{BandAdvice, BandReason, LinkAdvice, RouteOffer};
use link_transport::LinkTime;

/// Watches one link's measurements.
pub struct duel_advice {
    _opaque: (),
}

/// Whether the plan in use works on this phone: `DUEL_BAND_…`.
pub type duel_band = i32;
/// Too little is known yet.
pub const DUEL_BAND_UNKNOWN: i32 = 0;
/// It works, both ways as far as this phone can tell.
pub const DUEL_BAND_WORKS: i32 = 1;
/// It does not: offer the fall back, or the other role.
pub const DUEL_BAND_FAILS: i32 = 2;

/// Why it does not: `DUEL_BECAUSE_…`.
pub type duel_because = i32;
/// It works, or too little is known.
pub const DUEL_BECAUSE_NONE: i32 = 0;
/// The phone hears its peer but not itself: its speaker does not play its own band.
pub const DUEL_BECAUSE_SPEAKER_SILENT: i32 = 1;
/// It hears itself but too little of its peer.
pub const DUEL_BECAUSE_PEER_UNHEARD: i32 = 2;

/// Whether the sound goes where it should: `DUEL_ROUTE_…`.
pub type duel_route = i32;
/// It does, as far as is known.
pub const DUEL_ROUTE_FINE: i32 = 0;
/// This phone has not heard its own signal for 3 s: unplug headphones, turn the volume up, or switch the host to the low
/// plan.
pub const DUEL_ROUTE_UNHEARD: i32 = 1;
/// The same where the plan cannot be changed: unplug headphones, or turn the volume up.
pub const DUEL_ROUTE_UNHEARD_SETTLED: i32 = 2;

/// What to say in the lobby. Sized. The texts are in English, and lie in the handle until its next call.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_advice_status {
    /// `sizeof(duel_advice_status)`.
    pub struct_size: u32,
    /// Whether the sound goes where it should, `DUEL_ROUTE_…`.
    pub route: i32,
    /// 1: its own signal nearly clips its own microphone.
    pub loud: i32,
    /// The loudness advised.
    pub gain: f32,
    /// Whether the plan works, `DUEL_BAND_…`.
    pub band: i32,
    /// The plan to fall back to, or -1.
    pub fallback_plan: i32,
    /// The role to switch to where that may help, `DUEL_ROLE_…`, or -1.
    pub other_role: i32,
    /// Why the band fails, `DUEL_BECAUSE_…`.
    pub band_code: i32,
    /// What was measured then: packets of a hundred that came from the peer, or -1.
    pub band_good_percent: i32,
    /// The signal that was missed: its own where the speaker is silent, else the peer's; not a number if there is none.
    pub band_snr_db: f32,
    /// The band this phone sends in, from and to; 0 unless the band fails.
    pub band_hz: [u32; 2],
    /// Zero.
    pub reserved: i32,
    /// `route` as a sentence; empty if all is fine.
    pub route_text: *const c_char,
    /// `band_code` as a sentence, with what was measured; empty if the band does not fail.
    pub band_text: *const c_char,
}

sized! {
    duel_advice_status to band_text;
}

kind! {
    duel_advice = Adviser, 5;
}

pub(crate) struct Adviser {
    advice: LinkAdvice,
    config: ModemConfig,
    /// The newest report taken in: each counts once.
    taken: Option<LinkTime>,
    route_text: Text,
    band_text: Text,
}

/// Begins to watch a link set up like this; its gain is the loudest that will be advised.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: the caller owns it.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_advice_new(
    config: *const duel_link_config,
    why: *mut c_char,
    why_bytes: usize,
    advice: *mut *mut duel_advice,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let config = modem_config(&unsafe { sized::read(config) }?)?;
        let made = Adviser {
            advice: LinkAdvice::new(config),
            config,
            taken: None,
            route_text: Text::EMPTY,
            band_text: Text::EMPTY,
        };
        if advice.is_null() {
            return Err(Fault::null("advice"));
        }
        unsafe { put(advice, handle::new(made)?, "advice") }?;
        Ok(DUEL_OK)
    })
}

/// Frees it; NULL is fine.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: takes the handle.
/// Since: ABI 1.
///
/// # Safety
/// `advice` is NULL or a handle that nobody uses afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_advice_free(advice: *mut duel_advice) -> duel_status {
    crate::handle::enter!(free advice)
}

/// Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
///
/// Thread: the game's.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `advice` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_advice_detail(advice: *mut duel_advice) -> *const c_char {
    crate::handle::enter!(detail advice)
}

/// Looks at the link: call it every frame. Where the loudness should change, it sets it on the link, writes it to `gain`
/// and says `DUEL_OK`; otherwise `DUEL_EMPTY`. A link that was set up anew is judged anew.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `advice` and `link` are NULL or handles; `gain` is NULL (not wanted) or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_advice_watch(
    advice: *mut duel_advice,
    link: *mut duel_link,
    gain: *mut f32,
) -> duel_status {
    crate::handle::enter!(advice, |this| {
        let mut wanted = None;
        let looked = crate::handle::enter!(link, |link| {
            link.modem(|link| {
                this.follow(link.config());
                let report = link.newest_report();
                if let Some((came, report)) = report
                    && this.taken != Some(came)
                {
                    this.taken = Some(came);
                    wanted = this.advice.handle_report(came, &report);
                }
                if let Some(wanted) = wanted {
                    link.set_gain(wanted);
                }
            })?;
            Ok(DUEL_OK)
        });
        match (looked, wanted) {
            (DUEL_OK, None) => Ok(DUEL_EMPTY),
            (DUEL_OK, Some(wanted)) => {
                if !gain.is_null() {
                    // SAFETY: the caller's promise.
                    unsafe { gain.write(wanted) };
                }
                Ok(DUEL_OK)
            }
            (status, _) => Err(Fault::new(status, "the link cannot be watched")),
        }
    })
}

impl Adviser {
    /// Starts over if the link's setup has changed, its loudness aside: that is what this changes.
    fn follow(&mut self, now: ModemConfig) {
        let before = self.config.with_gain(now.gain);
        if before != now {
            let gain = self.config.gain;
            self.config = now.with_gain(gain);
            self.advice.restart(self.config);
        }
    }
}

/// What to say. `rematch` 1: band and roles are settled, and no sentence offers to change them.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `advice` is NULL or a handle; `status` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_advice_get_status(
    advice: *mut duel_advice,
    rematch: i32,
    status: *mut duel_advice_status,
) -> duel_status {
    crate::handle::enter!(advice, |this| {
        let rematch = flag(rematch, "rematch")?;
        this.route_text
            .set(this.advice.route_sentence(rematch).unwrap_or(""));
        let (band, reason) = match this.advice.band() {
            BandAdvice::Works => (DUEL_BAND_WORKS, None),
            BandAdvice::Fails(reason) => (DUEL_BAND_FAILS, Some(reason)),
            _ => (DUEL_BAND_UNKNOWN, None),
        };
        match reason {
            Some(reason) => this.band_text.set(reason),
            None => this.band_text = Text::EMPTY,
        }
        let out = duel_advice_status {
            struct_size: 0,
            route: match this.advice.route_offer(rematch) {
                None => DUEL_ROUTE_FINE,
                Some(RouteOffer::LowPlan) => DUEL_ROUTE_UNHEARD,
                Some(RouteOffer::Nothing) => DUEL_ROUTE_UNHEARD_SETTLED,
            },
            loud: this.advice.is_loud().into(),
            gain: this.advice.gain(),
            band,
            fallback_plan: reason
                .and_then(BandReason::fallback)
                .map_or(DUEL_NONE, plan_word),
            other_role: reason
                .and_then(BandReason::other_role)
                .map_or(DUEL_NONE, role_word),
            band_code: reason.map_or(DUEL_BECAUSE_NONE, because_word),
            band_good_percent: match reason {
                Some(BandReason::PeerUnheard { good_percent, .. }) => good_percent as i32,
                _ => DUEL_NONE,
            },
            band_snr_db: match reason {
                Some(BandReason::SpeakerSilent { own_snr_db, .. }) => own_snr_db,
                Some(BandReason::PeerUnheard { snr_db, .. }) => snr_db,
                _ => None,
            }
            .unwrap_or(f32::NAN),
            band_hz: reason.map_or([0; 2], |reason| reason.own_band_hz().into()),
            reserved: 0,
            route_text: this.route_text.as_ptr(),
            band_text: this.band_text.as_ptr(),
        };
        // SAFETY: the caller's promise.
        unsafe { sized::write(status, &out) }?;
        Ok(DUEL_OK)
    })
}

fn because_word(reason: BandReason) -> duel_because {
    match reason {
        BandReason::SpeakerSilent { .. } => DUEL_BECAUSE_SPEAKER_SILENT,
        _ => DUEL_BECAUSE_PEER_UNHEARD,
    }
}
