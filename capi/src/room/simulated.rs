//! The simulated room
//!
//! Two phones on a table, sample by sample: echoes, one's own signal 40 dB louder, harmonics, noise, two clocks. Test an
//! integration in it before there are phones: `duel_room_run` runs two pumps in it, and two links or sessions play as they
//! would live. One room time drives both; everything random comes from one seed.

use crate::{
    handle::{self, Fault, kind},
    link::duel_pump,
    sized::{self, put, sized, slice, slice_mut},
    status::*,
    words::Word,
};
use core::{ffi::c_char, time::Duration};
use link_room::{
    Agc, Dropouts, Fault as RoomFault, FaultKind, Jammer, Motion, Phone, Room, RoomConfig, Taps,
    Treble,
};

/// A simulated room with two phones in it.
pub struct duel_room {
    _opaque: (),
}

/// One of the two phones: `DUEL_PHONE_…`.
pub type duel_phone = i32;
/// The first.
pub const DUEL_PHONE_A: i32 = 0;
/// The second.
pub const DUEL_PHONE_B: i32 = 1;

/// What a room is made of. Sized; zero means the default, or that the trouble is not there.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_room_config {
    /// `sizeof(duel_room_config)`.
    pub struct_size: u32,
    /// 1: only the direct sound.
    pub no_echoes: i32,
    /// Decides walls, places, noise and taps.
    pub seed: u64,
    /// Each phone's sample rate; 0: 48,000.
    pub sample_rate_hz: [u32; 2],
    /// How fast each phone's clock runs, parts per million, up to 5,000 either way.
    pub skew_ppm: [f64; 2],
    /// From handing a sample to the device to its leaving the speaker; 0: 45.
    pub output_latency_ms: f64,
    /// From reaching the microphone to being handed over; 0: 30.
    pub input_latency_ms: f64,
    /// Between the phones, 1 to 1,000; 0: 20.
    pub distance_cm: f64,
    /// Signal over the microphones' noise at 10 cm; 0: 40.
    pub noise_snr10_db: f64,
    /// One's own speaker over the peer's direct sound; 0: 40.
    pub own_path_db: f64,
    /// Taps on the screens a second, each.
    pub taps_per_second: f64,
    /// How loud a tap is over the peer's signal.
    pub taps_over_peer_db: f64,
    /// Game audio below this frequency; 0: none.
    pub jammer_cutoff_hz: f64,
    /// How loud the game audio is, dB of full scale, below 0.
    pub jammer_level_dbfs: f64,
    /// Someone holds a phone and moves it at this speed, metres a second.
    pub motion_speed_m_s: f64,
    /// How far it moves about its place; 0: 5.
    pub motion_reach_cm: f64,
    /// The phones cut off their recordings above this; 0: no.
    pub capture_cutoff_hz: f64,
    /// The microphones' gain steps by this much; 0: no.
    pub agc_step_db: f64,
    /// Seconds between steps; 0: 2.
    pub agc_every_s: f64,
    /// Stretches missing from the recordings, a second.
    pub dropouts_per_second: f64,
    /// How long one lasts; 0: 10.
    pub dropouts_last_ms: f64,
    /// 1: loudspeakers made for voices, whose treble falls off.
    pub poor_treble: i32,
    /// Zero.
    pub reserved: i32,
}

/// Something that happens to the sound: `DUEL_TROUBLE_…`.
pub type duel_trouble = i32;
/// A phone's recording holds only silence.
pub const DUEL_TROUBLE_CAPTURE_GAP: i32 = 1;
/// Neither phone hears the other.
pub const DUEL_TROUBLE_DROPOUT: i32 = 2;
/// A phone is not heard by the other.
pub const DUEL_TROUBLE_UNHEARD: i32 = 3;
/// A phone's audio device stops: it plays nothing and its frames are lost, though they count.
pub const DUEL_TROUBLE_DEVICE_STOP: i32 = 4;

sized! {
    duel_room_config to reserved;
}

kind! {
    duel_room = RoomBody, 6;
}

/// Frames that `duel_room_run` hands a pump at a time, as an AudioWorklet does.
const BLOCK: usize = 128;

/// The most that one call lets pass: more is a mistake, and would take minutes.
const RUN_MAX: Duration = Duration::from_secs(60);

pub(crate) struct RoomBody {
    room: Room,
    microphone: [f32; BLOCK],
    speaker: [f32; BLOCK],
}

impl Word for Phone {
    const NAME: &'static str = "phone";
    const ALL: &'static [Self] = &Self::BOTH;
}

fn room_config(config: &duel_room_config) -> Result<RoomConfig, Fault> {
    let or = |given: f64, default: f64| if given == 0.0 { default } else { given };
    let all = [
        config.skew_ppm[0],
        config.skew_ppm[1],
        config.output_latency_ms,
        config.input_latency_ms,
        config.distance_cm,
        config.noise_snr10_db,
        config.own_path_db,
        config.taps_per_second,
        config.taps_over_peer_db,
        config.jammer_cutoff_hz,
        config.jammer_level_dbfs,
        config.motion_speed_m_s,
        config.motion_reach_cm,
        config.capture_cutoff_hz,
        config.agc_step_db,
        config.agc_every_s,
        config.dropouts_per_second,
        config.dropouts_last_ms,
    ];
    if !all.iter().all(|value| value.is_finite()) {
        return Err(Fault::argument("a room's figure is not a number"));
    }
    let within = |value: f64, max: f64, what: &str| {
        if (0.0..=max).contains(&value) {
            Ok(value)
        } else {
            Err(Fault::argument(format_args!("{what} {value}: 0 to {max}")))
        }
    };
    if config.reserved != 0 {
        return Err(Fault::argument("reserved is not zero"));
    }
    let mut room = RoomConfig::at_distance_cm(or(config.distance_cm, 20.0)).with_seed(config.seed);
    for (at, phone) in room.phones.iter_mut().enumerate() {
        if config.sample_rate_hz[at] != 0 {
            phone.sample_rate_hz = config.sample_rate_hz[at];
        }
        phone.skew_ppm = config.skew_ppm[at];
        phone.output_latency_ms = or(config.output_latency_ms, phone.output_latency_ms);
        phone.input_latency_ms = or(config.input_latency_ms, phone.input_latency_ms);
    }
    room.echoes = !crate::words::flag(config.no_echoes, "no_echoes")?;
    room.noise_snr10_db = within(
        or(config.noise_snr10_db, room.noise_snr10_db),
        120.0,
        "noise_snr10_db",
    )?;
    room.own_path_db = within(
        or(config.own_path_db, room.own_path_db),
        100.0,
        "own_path_db",
    )?;
    if within(config.taps_per_second, 100.0, "taps_per_second")? > 0.0 {
        room.taps = Some(Taps {
            per_second: config.taps_per_second,
            over_peer_db: config.taps_over_peer_db.clamp(-100.0, 100.0),
        });
    }
    if within(config.jammer_cutoff_hz, 20_000.0, "jammer_cutoff_hz")? > 0.0 {
        room.jammer = Some(Jammer {
            level_dbfs: config.jammer_level_dbfs.clamp(-120.0, 0.0),
            cutoff_hz: config.jammer_cutoff_hz,
        });
    }
    if within(config.motion_speed_m_s, 2.0, "motion_speed_m_s")? > 0.0 {
        room.motion = Some(Motion {
            speed_m_s: config.motion_speed_m_s,
            reach_cm: within(or(config.motion_reach_cm, 5.0), 500.0, "motion_reach_cm")?,
        });
    }
    if within(config.capture_cutoff_hz, 24_000.0, "capture_cutoff_hz")? > 0.0 {
        room.capture_cutoff_hz = Some(config.capture_cutoff_hz);
    }
    if within(config.agc_step_db, 40.0, "agc_step_db")? > 0.0 {
        room.agc = Some(Agc {
            step_db: config.agc_step_db,
            every_s: or(within(config.agc_every_s, 3600.0, "agc_every_s")?, 2.0).max(0.01),
        });
    }
    if within(config.dropouts_per_second, 100.0, "dropouts_per_second")? > 0.0 {
        room.dropouts = Some(Dropouts {
            per_second: config.dropouts_per_second,
            lasts_ms: or(
                within(config.dropouts_last_ms, 10_000.0, "dropouts_last_ms")?,
                10.0,
            ),
        });
    }
    if crate::words::flag(config.poor_treble, "poor_treble")? {
        room.treble = Some(Treble::default());
    }
    match room.problem() {
        Some(problem) => Err(Fault::argument(problem)),
        None => Ok(room),
    }
}

/// Makes a room: a few milliseconds of work.
///
/// Thread: any.
/// Realtime: no.
/// Owns: the caller owns it.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_room_new(
    config: *const duel_room_config,
    why: *mut c_char,
    why_bytes: usize,
    room: *mut *mut duel_room,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let config = room_config(&unsafe { sized::read(config) }?)?;
        if room.is_null() {
            return Err(Fault::null("room"));
        }
        let made = RoomBody {
            room: Room::new(&config),
            microphone: [0.0; BLOCK],
            speaker: [0.0; BLOCK],
        };
        unsafe { put(room, handle::new(made)?, "room") }?;
        Ok(DUEL_OK)
    })
}

/// Frees a room; NULL is fine.
///
/// Thread: any.
/// Realtime: no.
/// Owns: takes the handle.
/// Since: ABI 1.
///
/// # Safety
/// `room` is NULL or a handle that nobody uses afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_room_free(room: *mut duel_room) -> duel_status {
    crate::handle::enter!(free room)
}

/// Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
///
/// Thread: the room's.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `room` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_room_detail(room: *mut duel_room) -> *const c_char {
    crate::handle::enter!(detail room)
}

/// Runs both phones' pumps until the room's clock shows `until_us`, in blocks of 128 frames. A pump that is NULL is a
/// phone that is switched off; the same pump cannot be both. At most a minute at once. Then poll both links at
/// `until_us`; small steps (10,000) are like a live game loop.
///
/// Thread: one, for the room and both pumps.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `room` is NULL or a handle; the pumps are NULL or handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_room_run(
    room: *mut duel_room,
    until_us: u64,
    pump_a: *mut duel_pump,
    pump_b: *mut duel_pump,
) -> duel_status {
    crate::handle::enter!(room, |this| {
        if !pump_a.is_null() && pump_a == pump_b {
            return Err(Fault::argument(
                "pump_a and pump_b are one pump: each phone needs its own",
            ));
        }
        let until = Duration::from_micros(until_us);
        let from = this.room.time(this.room.next());
        if until.saturating_sub(from) > RUN_MAX {
            return Err(Fault::argument(format_args!(
                "until {until_us} us: the room is at {} us, and runs at most a minute at once",
                from.as_micros()
            )));
        }
        while this.room.time(this.room.next()) < until {
            let phone = this.room.next();
            let pump = [pump_a, pump_b][phone.index()];
            this.run_block(phone, this.room.frame(phone), pump)?;
        }
        Ok(DUEL_OK)
    })
}

impl RoomBody {
    fn run_block(&mut self, phone: Phone, frame: u64, pump: *mut duel_pump) -> Result<(), Fault> {
        let stopped = self.room.is_stopped(phone);
        self.room.capture(phone, &mut self.microphone);
        self.speaker.fill(0.0);
        let mut status = DUEL_OK;
        if !stopped && !pump.is_null() {
            let (microphone, speaker) = (&self.microphone, &mut self.speaker);
            status = crate::handle::enter!(pump, |pump| {
                pump.process(&[microphone], speaker, frame);
                Ok(DUEL_OK)
            });
        }
        // Silence from one that could not run, such as one that another thread is in: the room goes on.
        self.room.play(phone, &self.speaker);
        match status {
            DUEL_OK => Ok(()),
            _ => Err(Fault::new(status, "a phone's pump cannot run")),
        }
    }
}

/// Writes the phone whose block comes next, `DUEL_PHONE_…`, and the number of its first frame: for hosts that run the
/// phones themselves. Take turns: `duel_room_capture` and `duel_room_play` the same frames of that phone.
///
/// Thread: the room's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `room` is NULL or a handle; `phone` and `first_frame` are NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_room_next(
    room: *mut duel_room,
    phone: *mut duel_phone,
    first_frame: *mut u64,
) -> duel_status {
    crate::handle::enter!(room, |this| {
        if phone.is_null() || first_frame.is_null() {
            return Err(Fault::null("phone or first_frame"));
        }
        let next = this.room.next();
        // SAFETY: the caller's promise.
        unsafe {
            put(phone, next.index() as i32, "phone")?;
            put(first_frame, this.room.frame(next), "first_frame")?;
        }
        Ok(DUEL_OK)
    })
}

/// The most frames a phone can be handed at once.
pub const DUEL_ROOM_FRAMES_MAX: u32 = 512;

/// What a phone's microphone hears next.
///
/// Thread: the room's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `room` is NULL or a handle; `input` points to `frames` samples.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_room_capture(
    room: *mut duel_room,
    phone: duel_phone,
    input: *mut f32,
    frames: u32,
) -> duel_status {
    crate::handle::enter!(room, |this| {
        let (phone, frames) = (Phone::word(phone)?, room_frames(frames)?);
        // SAFETY: the caller's promise.
        this.room
            .capture(phone, unsafe { slice_mut(input, frames, "input") }?);
        Ok(DUEL_OK)
    })
}

/// What a phone's speaker plays for the frames just captured.
///
/// Thread: the room's.
/// Realtime: no.
/// Owns: nothing; the samples are copied.
/// Since: ABI 1.
///
/// # Safety
/// `room` is NULL or a handle; `output` points to `frames` samples.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_room_play(
    room: *mut duel_room,
    phone: duel_phone,
    output: *const f32,
    frames: u32,
) -> duel_status {
    crate::handle::enter!(room, |this| {
        let (phone, frames) = (Phone::word(phone)?, room_frames(frames)?);
        // SAFETY: the caller's promise.
        this.room
            .play(phone, unsafe { slice(output, frames, "output") }?);
        Ok(DUEL_OK)
    })
}

fn room_frames(frames: u32) -> Result<usize, Fault> {
    if frames > DUEL_ROOM_FRAMES_MAX {
        return Err(Fault::argument(format_args!(
            "{frames} frames: at most {DUEL_ROOM_FRAMES_MAX}"
        )));
    }
    Ok(frames as usize)
}

/// Lets something happen to the sound, `DUEL_TROUBLE_…`, at a room time and for a while. `phone` is whose, where the
/// trouble has a phone.
///
/// Thread: the room's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `room` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_room_trouble(
    room: *mut duel_room,
    trouble: duel_trouble,
    phone: duel_phone,
    at_us: u64,
    lasts_us: u64,
) -> duel_status {
    crate::handle::enter!(room, |this| {
        let phone = Phone::word(phone)?;
        let kind = match trouble {
            DUEL_TROUBLE_CAPTURE_GAP => FaultKind::CaptureGap(phone),
            DUEL_TROUBLE_DROPOUT => FaultKind::Dropout,
            DUEL_TROUBLE_UNHEARD => FaultKind::Unheard(phone),
            DUEL_TROUBLE_DEVICE_STOP => FaultKind::DeviceStop(phone),
            other => return Err(Fault::argument(format_args!("trouble {other}: 1 to 4"))),
        };
        this.room.inject(RoomFault {
            at: Duration::from_micros(at_us),
            lasts: Duration::from_micros(lasts_us),
            kind,
        });
        Ok(DUEL_OK)
    })
}
