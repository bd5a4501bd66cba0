//! The audio half: the modem, its microphone and its speaker. Runs on the audio thread.

use super::{
    COMMANDS_MAX, MESSAGE_BYTES_MAX, REPORTS_MAX,
    message::{Command, MessageError, ModemFault, Report, StatsReport},
    misuse::{CountWatch, Misuse, ParityWatch},
    port::Port,
};
use crate::{
    ModemCore, PIECE_FRAMES_MAX,
    config::{Gap, ModemConfig, RateProblem},
    level::peak,
    microphone::ChannelChoice,
};
use link_transport::Plan;

/// Commands taken in one call: all that can be waiting, so none waits a second call, and no more.
const COMMANDS_A_CALL: usize = COMMANDS_MAX;
/// Statistics are told this often …
const STATS_A_SECOND: u32 = 4;
/// … and where the clock is, at most this often.
const CLOCKS_A_SECOND: u32 = 200;
/// Places in the queue that clock reports leave to the rest, should nobody be reading.
const LEFT_BY_CLOCKS: usize = REPORTS_MAX / 2;

/// The audio half of a live modem.
///
/// [`ModemPump::process`] allocates, locks, logs and panics never, and does bounded work. If nobody takes its
/// reports they are dropped and counted; it never waits.
pub struct ModemPump {
    core: ModemCore,
    choice: ChannelChoice,
    /// What [`Self::choice`] is tuned to.
    range_hz: (f64, f64),
    port: Port<Report, Command>,
    /// The part of the input the modem gets where no channel can be handed to it as it is.
    scratch: [f32; PIECE_FRAMES_MAX],
    /// How this half is called wrongly, and what watches for it.
    misuse: Option<Misuse>,
    counts: CountWatch,
    parity: ParityWatch,
    closed: bool,
    peak: f32,
    dropped: u64,
    /// The newest change of setup.
    setup: u32,
    /// Frames processed since the last of each report.
    since_stats: u32,
    since_clock: u32,
    /// What a statistics report tells at once when it changes.
    told: (bool, Option<Plan>),
    /// The gap being told of, with what is known of it so far.
    gap: Option<Gap>,
}

impl ModemPump {
    /// An audio half whose messages a host carries. All it ever allocates is allocated here.
    ///
    /// # Errors
    /// [`RateProblem`] if the sound link cannot run at the rate.
    pub fn alone(config: ModemConfig) -> Result<Self, RateProblem> {
        Self::new(config, Port::alone(REPORTS_MAX, COMMANDS_MAX))
    }

    pub(super) fn new(
        config: ModemConfig,
        port: Port<Report, Command>,
    ) -> Result<Self, RateProblem> {
        let core = ModemCore::new(config)?;
        let range_hz = core.received_hz();
        Ok(Self {
            told: (false, core.detected_plan()),
            choice: ChannelChoice::new(range_hz.0, range_hz.1, config.sample_rate_hz),
            range_hz,
            core,
            port,
            scratch: [0.0; PIECE_FRAMES_MAX],
            misuse: None,
            counts: CountWatch::new(config.sample_rate_hz),
            parity: ParityWatch::new(),
            closed: false,
            peak: 0.0,
            dropped: 0,
            setup: 0,
            // The first block tells both.
            since_stats: config.sample_rate_hz,
            since_clock: config.sample_rate_hz,
            gap: None,
        })
    }

    /// Takes one block of input, a slice for each channel, and fills one of output, `first_frame` being the device's
    /// count of the first frame of both. Returns false once the game half has closed the link or is gone: the output
    /// is silence then, and the caller may stop calling.
    ///
    /// Of several channels it hears the one that carries the peer's band: see [`ChannelChoice`]. Input that is shorter
    /// than the output, or has no channel, is missing input.
    pub fn process(&mut self, input: &[&[f32]], output: &mut [f32], first_frame: u64) -> bool {
        let channels = input.len();
        self.run(
            output,
            first_frame,
            channels,
            |choice, locked, from, to, scratch| {
                let part = |channel: usize| {
                    let samples = input.get(channel).copied().unwrap_or(&[]);
                    &samples[from.min(samples.len())..to.min(samples.len())]
                };
                let chosen = part(choice.choose(channels, to - from, locked, |channel| {
                    part(channel).iter().copied()
                }));
                scratch[..chosen.len()].copy_from_slice(chosen);
                scratch[chosen.len()..].fill(0.0);
            },
        )
    }

    /// As [`ModemPump::process`], for input whose channels alternate: frame by frame, `channels` samples each.
    pub fn process_interleaved(
        &mut self,
        input: &[f32],
        channels: usize,
        output: &mut [f32],
        first_frame: u64,
    ) -> bool {
        let channels = channels.max(1);
        self.run(
            output,
            first_frame,
            channels,
            |choice, locked, from, to, scratch| {
                let piece = to - from;
                let frames = input.len() / channels;
                let (from, to) = (from.min(frames), to.min(frames));
                let part = |channel: usize| {
                    let frames = input[from * channels..to * channels].chunks_exact(channels);
                    frames.map(move |frame| frame[channel])
                };
                let chosen = choice.choose(channels, piece, locked, part);
                for (sample, heard) in scratch.iter_mut().zip(part(chosen)) {
                    *sample = heard;
                }
                scratch[to - from..].fill(0.0);
            },
        )
    }

    /// The part common to both: `hear(choice, locked, from, to, piece)` fills a piece with the frames
    /// `from..to` of the channel chosen.
    fn run(
        &mut self,
        output: &mut [f32],
        first_frame: u64,
        channels: usize,
        hear: impl Fn(&mut ChannelChoice, bool, usize, usize, &mut [f32]),
    ) -> bool {
        self.take_commands();
        if self.closed {
            output.fill(0.0);
            return false;
        }
        if let Some(found) = self.counts.call(first_frame, output.len() as u64) {
            self.note_misuse(found);
        }
        let mut from = 0;
        while from < output.len() {
            let to = output.len().min(from + PIECE_FRAMES_MAX);
            let piece = &mut self.scratch[..to - from];
            hear(&mut self.choice, self.core.is_locked(), from, to, piece);
            if channels == 1
                && !self.core.is_locked()
                && self.parity.hear(&self.scratch[..to - from])
            {
                self.note_misuse(Some(Misuse::Interleaved));
            }
            let piece = &mut self.scratch[..to - from];
            let frame = first_frame.wrapping_add(from as u64);
            self.core.process(piece, &mut output[from..to], frame);
            self.peak = self.peak.max(peak(piece));
            self.report((to - from) as u32);
            from = to;
        }
        self.tell_clock(first_frame.wrapping_add(output.len() as u64));
        true
    }

    /// Wrong use begins, is another, or is over; each is told once.
    fn note_misuse(&mut self, found: Option<Misuse>) {
        if found == self.misuse {
            return;
        }
        self.misuse = found;
        // The next statistics tell at once.
        self.since_stats = self.rate_hz();
        if let Some(misuse) = found {
            self.tell(Report::Fault {
                fault: misuse.into(),
                fatal: false,
            });
        }
    }

    /// How it is called wrongly, as far as that shows; `None` while all is well.
    #[must_use]
    pub fn misuse(&self) -> Option<Misuse> {
        self.misuse
    }

    fn take_commands(&mut self) {
        for _ in 0..COMMANDS_A_CALL {
            match self.port.receive() {
                Some(command) => self.obey(command),
                None => break,
            }
        }
        self.closed |= self.port.is_abandoned();
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Payloads(frames) => self.core.set_payloads(&frames),
            Command::Mode(mode) => self.core.set_tx_mode(mode),
            Command::Session(key) => self.core.set_session_key(key),
            Command::Configure { change, serial } => {
                self.setup = serial;
                if let Err(problem) = self.core.reconfigure(change) {
                    self.tell(Report::Fault {
                        fault: problem.into(),
                        fatal: false,
                    });
                }
            }
            Command::Skip { frames } => self.core.skip(frames),
            Command::Close => self.closed = true,
        }
    }

    /// Tells what the last piece brought. Statistics that show a lock come before the first packet under it.
    fn report(&mut self, frames: u32) {
        self.since_stats = self.since_stats.saturating_add(frames);
        self.since_clock = self.since_clock.saturating_add(frames);
        let stats = self.core.stats();
        let telling = (stats.locked, self.core.detected_plan());
        if self.core.received_hz() != self.range_hz {
            self.range_hz = self.core.received_hz();
            self.choice.retune(self.range_hz.0, self.range_hz.1);
        }
        if telling != self.told || self.since_stats >= self.rate_hz() / STATS_A_SECOND {
            (self.told, self.since_stats) = (telling, 0);
            let report = StatsReport {
                modem: stats,
                detected: telling.1,
                peak: core::mem::take(&mut self.peak),
                dropped: self.dropped,
                setup: self.setup,
                misuse: self.misuse,
                channel: self.choice.chosen().min(255) as u8,
            };
            self.tell(Report::Stats(report));
        }
        while let Some(packet) = self.core.take_packet() {
            self.tell(Report::Packet(packet));
        }
        while let Some(slot) = self.core.take_slot() {
            self.tell(Report::Slot(slot));
        }
        self.report_gaps();
    }

    /// The modem tells of a gap when it ends and, of a long one, every second; the game half wants its start and total.
    fn report_gaps(&mut self) {
        while let Some(part) = self.core.take_gap() {
            match &mut self.gap {
                Some(gap) => gap.frames = gap.frames.saturating_add(part.frames),
                None => {
                    self.gap = Some(part);
                    self.tell(Report::Gap(Gap { frames: 0, ..part }));
                }
            }
        }
        match (self.core.missing_since(), self.gap) {
            (Some(sample), None) => {
                let gap = Gap { sample, frames: 0 };
                self.gap = Some(gap);
                self.tell(Report::Gap(gap));
            }
            (None, Some(gap)) => {
                self.gap = None;
                self.tell(Report::Gap(gap));
            }
            _ => {}
        }
    }

    fn tell_clock(&mut self, frame: u64) {
        let due = self.since_clock >= self.rate_hz() / CLOCKS_A_SECOND;
        if due && self.port.room() > LEFT_BY_CLOCKS {
            self.since_clock = 0;
            self.tell(Report::Clock { frame });
        }
    }

    fn tell(&mut self, report: Report) {
        if !self.port.send(report) {
            self.dropped += 1;
        }
    }

    fn rate_hz(&self) -> u32 {
        self.core.sample_rate_hz()
    }

    /// The next report as bytes, for a host that carries them; its length, or `None` if there is none. Always `None`
    /// while joined to a [`super::ModemLink`].
    pub fn poll_message(&mut self, bytes: &mut [u8; MESSAGE_BYTES_MAX]) -> Option<usize> {
        self.port.carry_out().map(|report| report.encode(bytes))
    }

    /// A command as bytes, from the game half's `poll_message`. What does not decode is refused and reported; while
    /// the queue is full, or while joined to a [`super::ModemLink`], it is dropped.
    ///
    /// # Errors
    /// [`MessageError`] if the bytes are no command.
    pub fn push_message(&mut self, bytes: &[u8]) -> Result<(), MessageError> {
        match Command::decode(bytes) {
            Ok(command) => {
                if !self.port.carry_in(command) {
                    self.dropped += 1;
                }
                Ok(())
            }
            Err(error) => {
                self.tell(Report::Fault {
                    fault: ModemFault::Unreadable,
                    fatal: false,
                });
                Err(error)
            }
        }
    }

    /// Hears channel `channel`, from 0, whatever the others hold; `None` leaves the choice to the signal.
    pub fn force_channel(&mut self, channel: Option<usize>) {
        self.choice.force(channel);
    }

    /// The channel heard, from 0.
    #[must_use]
    pub fn channel(&self) -> usize {
        self.choice.chosen()
    }

    /// Reports left behind because the queue was full, and commands dropped likewise.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The sample rate it runs at.
    #[must_use]
    pub fn sample_rate_hz(&self) -> u32 {
        self.rate_hz()
    }
}
