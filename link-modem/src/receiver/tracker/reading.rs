//! Reads a packet: from its symbols' products and what is known of the channel to a payload that passed the gate.

use super::{Air, Decoding, Effort, TrackEvent, Tracker};
use crate::{
    config::RxPacket,
    heavy,
    params::{PACKET_SYMBOLS_MAX, packet_shape},
    receiver::{
        acquisition::FIRST_PATH_SHARE,
        soft::{Erased, clamp, soften, tone_weights},
    },
};
use link_fec::{CODED_BITS_MAX, PAYLOAD_BYTES_MAX, encode_packet};
use link_transport::{FrameBits, Mode, capacity_bits};

/// A path found this little before or after the one assumed is the same. After it is the rarer mistake: of a first sighting
/// that took what is left of the symbol before for a path, and only a good packet tells.
const EARLIER_PATH_MS: f64 = 1.0;
const LATER_PATH_MS: f64 = 0.4;
/// A path's least share of the strongest where the phases are known. Beside a strong cluster the direct sound may be 8 dB
/// under one of its paths, and what the response shows without any is a tenth at the most.
const KNOWN_PATH_SHARE: f32 = 0.3;
/// A gap of this share of a symbol erases it; with less its tones still stand over what they leak into one another.
const GAP_SHARE: f64 = 0.5;
/// No packet passes the gate with more than this share of it erased.
const ERASED_MAX: f64 = 0.4;
/// Effective signal-to-noise ratios stop counting here: at float accuracy, not at the link's.
const SNR_MAX_DB: f32 = 90.0;

/// What a packet's symbols are set against.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// One another.
    Plain,
    Channel,
}

impl Tracker {
    /// Decodes the packet that ends with the current symbol. `None` if the effort does not allow it now.
    pub(super) fn decode(
        &mut self,
        mode: Mode,
        air: &Air,
        decoding: &mut Decoding,
        effort: &mut Effort,
    ) -> Option<TrackEvent> {
        let band = self.tables.band;
        let shape = packet_shape(band.plan, mode);
        let first = self.symbol - shape.symbols;
        let places = (first..self.symbol).map(|data_symbol| data_symbol % PACKET_SYMBOLS_MAX);
        let start = self.starts[first % PACKET_SYMBOLS_MAX];

        let erased = self.erased(air, start, shape.symbols);
        if erased.changes(shape.symbols) as f64 > ERASED_MAX * shape.symbols as f64 {
            return Some(TrackEvent::Failed { erased: true });
        }
        if effort.heavy == 0 {
            return None;
        }
        let symbols = places.clone().map(|at| &self.products[at]).collect();
        let soft = &mut decoding.soft[..shape.coded_bits()];
        let failed = Some(TrackEvent::Failed {
            erased: erased.is_any(),
        });
        let Some(weights) = tone_weights(band, &symbols, &self.steady) else {
            return failed;
        };
        let is_second = self.second_try.is_some();
        let rule = self.second_try.take().unwrap_or({
            if self.channel.is_worth_it() {
                Rule::Channel
            } else {
                Rule::Plain
            }
        });
        match rule {
            Rule::Plain => soften(band, mode, &symbols, &weights, soft),
            Rule::Channel => self
                .channel
                .soften(mode, first + 1, shape.symbols, &weights, soft),
        }
        drop(symbols);
        clamp(soft);
        erased.apply(shape.symbols, soft);
        effort.heavy -= 1;
        heavy::note();
        let mut payload = [0; PAYLOAD_BYTES_MAX];
        let packet_index = first / shape.symbols;
        let decoded = decoding.decoder.decode(
            shape,
            packet_index,
            &decoding.crc_starts,
            soft,
            &mut payload,
        );
        if decoded.is_err() {
            // A stream's first packets are learned from even unread: it may come through nothing but an average.
            if !self.proven && !is_second && !erased.is_any() {
                self.channel.learn_unread(mode, first + 1, shape.symbols);
            }
            if !is_second && (rule == Rule::Channel || !self.proven) {
                self.second_try = Some(match rule {
                    Rule::Channel => Rule::Plain,
                    Rule::Plain => Rule::Channel,
                });
                return None;
            }
        }
        let Ok(accepted) = decoded else {
            return failed;
        };
        let mut slots = [0; CODED_BITS_MAX];
        let slots = &mut slots[..shape.coded_bits()];
        encode_packet(
            shape,
            packet_index,
            decoding.crc_starts[accepted.start_index],
            &payload,
            slots,
        );
        let counted_from_sync = self.channel.knows_phases();
        self.channel
            .learn_packet(mode, first + 1, shape.symbols, erased, slots);
        let moved = if self.proven {
            0.0
        } else {
            self.move_to_first_path(counted_from_sync)
        };
        let error = places.map(|at| self.phase_errors[at]).sum::<f32>() / shape.symbols as f32;
        Some(TrackEvent::Packet(RxPacket {
            bits: FrameBits::from_bytes(&payload, capacity_bits(band.plan)),
            mode,
            snr_db: (-10.0 * error.max(1e-12).log10()).min(SNR_MAX_DB),
            sample: (start + moved).round().max(0.0) as u64,
            plan: band.plan,
            session: decoding.crc_starts.len() > 1 && accepted.start_index == 0,
        }))
    }

    /// The first packet has decoded: its response tells whether the first path is another than the one it was read at. By how
    /// much the window was moved.
    ///
    /// Each tone's phase is known if packets have decoded from the sync on. Otherwise it is a guess by what was heard of
    /// the sync, which may be half of it; that shows a path where there is none, but does not hide one that is there.
    fn move_to_first_path(&mut self, counted_from_sync: bool) -> f64 {
        self.proven = true;
        self.guesses.clear();
        let rate_hz = f64::from(self.tables.timing.sample_rate_hz);
        let assumed_s = (self.tables.timing.backoff as f64 + self.shift) / rate_hz;
        let (share, earliest_s) = if counted_from_sync {
            (KNOWN_PATH_SHARE, f64::NEG_INFINITY)
        } else {
            (FIRST_PATH_SHARE, assumed_s - EARLIER_PATH_MS / 1000.0)
        };
        let Some(response) = self.channel.response(assumed_s) else {
            return 0.0;
        };
        let Some(path_s) = response.first_path_s(share, earliest_s) else {
            return 0.0;
        };
        let off_s = path_s - assumed_s;
        let moves = !(-EARLIER_PATH_MS..=LATER_PATH_MS).contains(&(off_s * 1000.0));
        let place_s = if moves { path_s } else { assumed_s };
        if self.late > 0.0
            && !response.is_better_late(&self.tables.timing, place_s, self.late / rate_hz)
        {
            self.late = 0.0;
        }
        if !moves {
            return 0.0;
        }
        let off = off_s * rate_hz;
        self.shift += off;
        self.sync_start += off;
        off
    }

    /// Which symbols of a packet of `symbols` whose first window starts at `start` were missing, the one before included:
    /// without it, the packet's first symbol says nothing.
    fn erased(&self, air: &Air, start: f64, symbols: usize) -> Erased {
        let timing = &self.tables.timing;
        let (symbol_frames, useful) = (timing.symbol as f64, timing.useful as f64);
        let before = start - symbol_frames;
        let mut erased = Erased::default();
        let to = start + timing.window_to_end(symbols) as f64;
        if air.gaps.missing(before, to) == 0.0 {
            return erased;
        }
        for symbol in 0..=symbols {
            let from = before + symbol as f64 * symbol_frames;
            if air.gaps.missing(from, from + useful) > GAP_SHARE * useful {
                erased.add(symbol);
            }
        }
        erased
    }
}
