//! The numbers of the air format: which tones, how long, how loud. Knows nothing of samples or packets' contents.
//!
//! Source: the specification's "Numerology" and the format decisions' "On the air".

use link_fec::PacketShape;
use link_transport::{Mode, Plan, Role, capacity_bits, packet_ms};
pub use link_transport::{SUPERFRAME_SYMBOLS, SYMBOL_MS};

/// The longest stretch of input worked on at once, in frames. Each is allowed one heavy job.
pub const PIECE_FRAMES_MAX: usize = 512;

/// Distance between neighbouring tones; tone `k` is at `25 k` Hz.
pub const TONE_SPACING_HZ: f64 = 25.0;
/// The most tones a band has.
pub const TONES_MAX: usize = 120;
/// The most data tones a band has.
pub const DATA_TONES_MAX: usize = 105;
/// The most pilots a band has.
pub const PILOTS_MAX: usize = 15;
/// Every eighth tone of a band, its first included, is a pilot.
pub const PILOT_SPACING: usize = 8;
/// Data symbols of a superframe, after its sync symbol.
pub const DATA_SYMBOLS: usize = SUPERFRAME_SYMBOLS - 1;
/// The most symbols a packet has (low plan, robust).
pub const PACKET_SYMBOLS_MAX: usize = 8;
/// The root mean square of a band at gain 1: −15 dB of full scale, `10^(−15/20)`.
pub const BAND_RMS: f32 = 0.177_827_94;
/// The loudest gain; beyond it the speaker's own distortion costs more than the level brings.
pub const GAIN_MAX: f32 = 1.5;
/// Samples beyond this are clipped and counted: five standard deviations of 120 tones at gain 1.
pub const CLIP_LEVEL: f32 = 0.9;

/// One of the four bands: a plan's host or guest half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Band {
    /// The band plan.
    pub plan: Plan,
    /// Who transmits in it.
    pub role: Role,
}

impl Band {
    /// All four, in [`Band::index`] order.
    pub const ALL: [Self; 4] = [
        Self::new(Plan::High, Role::Host),
        Self::new(Plan::High, Role::Guest),
        Self::new(Plan::Low, Role::Host),
        Self::new(Plan::Low, Role::Guest),
    ];

    /// The band in which `role` transmits under `plan`.
    #[must_use]
    pub const fn new(plan: Plan, role: Role) -> Self {
        Self { plan, role }
    }

    /// 0…3, for tables.
    #[must_use]
    pub const fn index(self) -> usize {
        match self.plan {
            Plan::High => self.role.index(),
            Plan::Low => 2 + self.role.index(),
        }
    }

    /// The lowest tone's number `k`.
    #[must_use]
    pub const fn first_tone(self) -> usize {
        match (self.plan, self.role) {
            (Plan::High, Role::Host) => 381,
            (Plan::High, Role::Guest) => 639,
            (Plan::Low, Role::Host) => 201,
            (Plan::Low, Role::Guest) => 321,
        }
    }

    /// Tones of the band, pilots included.
    #[must_use]
    pub const fn tones(self) -> usize {
        match self.plan {
            Plan::High => 120,
            Plan::Low => 60,
        }
    }

    /// Pilots of the band.
    #[must_use]
    pub const fn pilots(self) -> usize {
        self.tones().div_ceil(PILOT_SPACING)
    }

    /// Tones that carry bits.
    #[must_use]
    pub const fn data_tones(self) -> usize {
        self.tones() - self.pilots()
    }

    /// The frequency of the band's tone `i`, 0 the lowest.
    #[must_use]
    pub fn tone_hz(self, i: usize) -> f64 {
        (self.first_tone() + i) as f64 * TONE_SPACING_HZ
    }

    /// The middle of the band.
    #[must_use]
    pub fn center_hz(self) -> f64 {
        (self.first_tone() as f64 + (self.tones() - 1) as f64 / 2.0) * TONE_SPACING_HZ
    }

    /// From the middle to the outermost tone.
    #[must_use]
    pub fn half_width_hz(self) -> f64 {
        (self.tones() - 1) as f64 / 2.0 * TONE_SPACING_HZ
    }
}

/// True if the band's tone `i` is a pilot.
#[must_use]
pub const fn is_pilot(i: usize) -> bool {
    i.is_multiple_of(PILOT_SPACING)
}

/// The band's tone that data tone `t` is.
#[must_use]
pub const fn data_tone(t: usize) -> usize {
    t + t / (PILOT_SPACING - 1) + 1
}

/// How a packet is coded under `plan` and `mode`.
#[must_use]
pub const fn packet_shape(plan: Plan, mode: Mode) -> &'static PacketShape {
    match (plan, mode) {
        (Plan::High, Mode::Fast) => &PacketShape::HIGH_FAST,
        (Plan::High, Mode::Robust) => &PacketShape::HIGH_ROBUST,
        (Plan::Low, Mode::Fast) => &PacketShape::LOW_FAST,
        (Plan::Low, Mode::Robust) => &PacketShape::LOW_ROBUST,
    }
}

/// The slowest sample rate at which `plan` can be used.
#[must_use]
pub const fn rate_min_hz(plan: Plan) -> u32 {
    match plan {
        Plan::High => 44_100,
        Plan::Low => 24_000,
    }
}

/// Phase of data tone `i` in sync pattern A, in turns: `i² / (2T)`. Pattern B is its mirror image.
#[must_use]
pub fn sync_turns(band: Band, i: usize) -> f64 {
    (i * i) as f64 / (2 * band.data_tones()) as f64
}

/// Phase of pilot `p`, in turns: Newman's over the pilots alone, so that a symbol of pilots has a low crest.
#[must_use]
pub fn pilot_turns(band: Band, p: usize) -> f64 {
    (p * p) as f64 / (2 * band.pilots()) as f64
}

/// Lengths in samples at one sample rate, rounded where they are not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Samples a second.
    pub sample_rate_hz: u32,
    /// The useful symbol, `N`: 40 ms.
    pub useful: usize,
    /// The cyclic prefix: 10 ms.
    pub prefix: usize,
    /// Prefix and useful part: 50 ms.
    pub symbol: usize,
    /// The fade between symbols, `TW`: 1.25 ms.
    pub fade: usize,
    /// The taper of the receiver's window, `β`: 1.25 ms.
    pub taper: usize,
    /// How far before the useful part's end the window ends: 1 ms.
    pub backoff: usize,
}

impl Timing {
    /// At a rate that is a multiple of 100 Hz.
    #[must_use]
    pub const fn at(sample_rate_hz: u32) -> Self {
        let rate = sample_rate_hz as usize;
        let taper = (rate + 400) / 800;
        Self {
            sample_rate_hz,
            useful: rate / 25,
            prefix: rate / 100,
            symbol: rate / 20,
            fade: taper,
            taper,
            backoff: (rate + 500) / 1000,
        }
    }

    /// A symbol's length in seconds.
    #[must_use]
    pub const fn symbol_s(&self) -> f64 {
        self.symbol as f64 / self.sample_rate_hz as f64
    }

    /// From the first sample of a packet's first nominal window to just after the packet's last sample.
    #[must_use]
    pub const fn window_to_end(&self, packet_symbols: usize) -> usize {
        self.backoff + (packet_symbols - 1) * self.symbol + self.useful
    }
}

const _: () = {
    let mut index = 0;
    while index < Band::ALL.len() {
        let band = Band::ALL[index];
        assert!(band.index() == index);
        assert!(band.tones() <= TONES_MAX && band.data_tones() <= DATA_TONES_MAX);
        assert!(band.pilots() <= PILOTS_MAX);
        assert!(data_tone(band.data_tones() - 1) == band.tones() - 1);
        let modes = [Mode::Robust, Mode::Fast];
        let mut m = 0;
        while m < modes.len() {
            let shape = packet_shape(band.plan, modes[m]);
            assert!(shape.tones == band.data_tones());
            assert!(shape.payload_bits() == capacity_bits(band.plan));
            assert!(shape.symbols <= PACKET_SYMBOLS_MAX);
            assert!(DATA_SYMBOLS.is_multiple_of(shape.symbols));
            assert!(shape.symbols as u32 * SYMBOL_MS == packet_ms(band.plan, modes[m]));
            m += 1;
        }
        index += 1;
    }
    // The second harmonic of the high host band starts above the guest band: 2 · 381 > 758.
    assert!(2 * Band::ALL[0].first_tone() > Band::ALL[1].first_tone() + Band::ALL[1].tones() - 1);
    // 44.1 kHz as the format decisions list it.
    let t = Timing::at(44_100);
    assert!(t.useful == 1764 && t.prefix == 441 && t.symbol == 2205);
    assert!(t.fade == 55 && t.taper == 55 && t.backoff == 44);
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_tones_and_pilots_share_the_band() {
        for band in Band::ALL {
            let data: Vec<usize> = (0..band.data_tones()).map(data_tone).collect();
            let expected: Vec<usize> = (0..band.tones()).filter(|&i| !is_pilot(i)).collect();
            assert_eq!(data, expected);
        }
    }

    #[test]
    fn table() {
        let mut table =
            String::from("plan  role   tones     Hz             pilots data  fast  robust\n");
        for band in Band::ALL {
            let last = band.tones() - 1;
            table += &format!(
                "{:<5} {:<6} {}…{} {:>7}…{:<7} {:>5} {:>5} {:>5} {:>6}\n",
                format!("{:?}", band.plan),
                format!("{:?}", band.role),
                band.first_tone(),
                band.first_tone() + last,
                band.tone_hz(0),
                band.tone_hz(last),
                band.pilots(),
                band.data_tones(),
                packet_shape(band.plan, Mode::Fast).symbols,
                packet_shape(band.plan, Mode::Robust).symbols,
            );
        }
        insta::assert_snapshot!(table, @r"
        plan  role   tones     Hz             pilots data  fast  robust
        High  Host   381…500    9525…12500      15   105     2      4
        High  Guest  639…758   15975…18950      15   105     2      4
        Low   Host   201…260    5025…6500        8    52     4      8
        Low   Guest  321…380    8025…9500        8    52     4      8
        ");
    }
}
