//! The audio thread's half of `play`: microphone frames through a fixed queue, the modem's pump, the speaker. Knows no
//! device; whoever has one calls [`Feed::capture`] and [`Engine::render`].
//!
//! Neither call allocates, locks, waits or frees: what is replaced goes back to the [`Control`] through a queue.

use link_modem::ModemPump;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// Frames rendered at once.
const PIECE_FRAMES: usize = 1024;
/// The most channels of a microphone; devices are opened with fewer.
pub const CHANNELS_MAX: usize = 8;
/// Frames the queue from the microphone holds: over a second at 48 kHz.
const QUEUE_FRAMES: usize = 65_536;
/// Each time the queue runs dry its cushion grows by what was missing, up to this: 200 ms at 48 kHz.
const CUSHION_MAX: usize = 9_600;
/// What may wait in the queue beyond its cushion before it counts as time the speaker has lost: 100 ms at 48 kHz.
const SLACK_FRAMES: usize = 4_800;
/// Replacements on their way, and what they replaced on its way back.
const SWAPS_MAX: usize = 16;

/// What the audio thread has done so far, for the game's thread to read.
#[derive(Debug, Default)]
pub struct Counters {
    /// Microphone frames that came.
    pub captured: AtomicU64,
    /// Speaker frames that were asked for.
    pub rendered: AtomicU64,
    /// Times the queue from the microphone ran dry.
    pub starved: AtomicU64,
    /// Microphone frames that found the queue full, or were passed over because the speaker had lost time.
    pub dropped: AtomicU64,
}

/// A replacement for something the audio thread uses.
enum Swap {
    Pump(Option<Box<ModemPump>>),
    Microphone(Option<Tap>),
}

/// The game thread's end of one speaker.
pub struct Control {
    swaps: Producer<Swap>,
    returned: Consumer<Swap>,
    counters: Arc<Counters>,
}

/// The audio thread's end of one speaker.
pub struct Engine {
    swaps: Consumer<Swap>,
    returned: Producer<Swap>,
    counters: Arc<Counters>,
    channels: usize,
    pump: Option<Box<ModemPump>>,
    tap: Option<Tap>,
    /// The device's count: frames rendered, and frames that should have been.
    frame: u64,
    heard: Vec<f32>,
    mono: Vec<f32>,
}

/// Where a microphone's callback puts its frames.
pub struct Feed {
    queue: Producer<f32>,
    channels: usize,
    counters: Arc<Counters>,
}

/// Where the speaker's callback takes them from.
pub struct Tap {
    queue: Consumer<f32>,
    channels: usize,
    cushion_frames: usize,
    /// Nothing is taken until the cushion is there.
    filling: bool,
}

/// A speaker of `channels` channels, with nothing to play and nothing to hear yet. Allocates all it ever will.
pub fn speaker(channels: usize) -> (Control, Engine) {
    let (swaps, to_obey) = RingBuffer::new(SWAPS_MAX);
    let (to_return, returned) = RingBuffer::new(SWAPS_MAX);
    let counters = Arc::new(Counters::default());
    let control = Control {
        swaps,
        returned,
        counters: Arc::clone(&counters),
    };
    let engine = Engine {
        swaps: to_obey,
        returned: to_return,
        counters,
        channels: channels.max(1),
        pump: None,
        tap: None,
        frame: 0,
        heard: vec![0.0; PIECE_FRAMES * CHANNELS_MAX],
        mono: vec![0.0; PIECE_FRAMES],
    };
    (control, engine)
}

/// A microphone of `channels` channels whose callbacks bring about `cushion_frames` at a time at most.
pub fn microphone(channels: usize, cushion_frames: usize, counters: &Arc<Counters>) -> (Feed, Tap) {
    let channels = channels.clamp(1, CHANNELS_MAX);
    let (queue, to_take) = RingBuffer::new(QUEUE_FRAMES * channels);
    let feed = Feed {
        queue,
        channels,
        counters: Arc::clone(counters),
    };
    let tap = Tap {
        queue: to_take,
        channels,
        cushion_frames: cushion_frames.min(CUSHION_MAX),
        filling: true,
    };
    (feed, tap)
}

impl Control {
    /// Lets this pump run from the next callback on.
    pub fn run_pump(&mut self, pump: ModemPump) {
        self.swap(Swap::Pump(Some(Box::new(pump))));
    }

    /// Hears this microphone, or none, from the speaker's next callback on.
    pub fn plug(&mut self, tap: Option<Tap>) {
        self.swap(Swap::Microphone(tap));
    }

    /// What the audio thread has done.
    pub fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }

    fn swap(&mut self, swap: Swap) {
        self.sweep();
        // A speaker that has not rendered for so many replacements is gone; the newest is then lost with it.
        let _ = self.swaps.push(swap);
    }

    /// Frees what the audio thread no longer uses.
    pub fn sweep(&mut self) {
        while self.returned.pop().is_ok() {}
    }
}

impl Feed {
    /// Takes whatever the microphone's callback brings: any number of frames.
    pub fn capture(&mut self, samples: &[f32]) {
        let frames = samples.len() / self.channels;
        self.counters.captured.fetch_add(frames as u64, Relaxed);
        let room = self.queue.slots() / self.channels;
        let kept = frames.min(room) * self.channels;
        if let Ok(chunk) = self.queue.write_chunk_uninit(kept) {
            chunk.fill_from_iter(samples[..kept].iter().copied());
        }
        if frames > room {
            self.counters
                .dropped
                .fetch_add((frames - room) as u64, Relaxed);
        }
    }
}

impl Engine {
    /// Fills the speaker's callback, frame by frame, every channel the same.
    pub fn render(&mut self, output: &mut [f32]) {
        self.take_swaps();
        for piece in output.chunks_mut(PIECE_FRAMES * self.channels) {
            self.render_piece(piece);
        }
    }

    fn take_swaps(&mut self) {
        while self.returned.slots() > 0
            && let Ok(swap) = self.swaps.pop()
        {
            let old = match swap {
                Swap::Pump(pump) => Swap::Pump(std::mem::replace(&mut self.pump, pump)),
                Swap::Microphone(tap) => Swap::Microphone(std::mem::replace(&mut self.tap, tap)),
            };
            let _ = self.returned.push(old); // there is room: asked above
        }
    }

    fn render_piece(&mut self, output: &mut [f32]) {
        let frames = output.len() / self.channels;
        self.counters.rendered.fetch_add(frames as u64, Relaxed);
        let (mut heard, mut channels) = (0, 1);
        if let Some(tap) = &mut self.tap {
            // Microphone frames pile up only while no speaker frames are asked for: time that was lost.
            let lost = tap.pass_over(frames);
            if lost > 0 {
                self.counters.dropped.fetch_add(lost, Relaxed);
                self.frame += lost;
            }
            let starved;
            (heard, starved) = tap.take(frames, &mut self.heard);
            channels = tap.channels;
            if starved {
                self.counters.starved.fetch_add(1, Relaxed);
            }
        }
        let mono = &mut self.mono[..frames];
        match &mut self.pump {
            // Input that is shorter than the output is missing input to the modem.
            Some(pump) => {
                let heard = &self.heard[..heard * channels];
                pump.process_interleaved(heard, channels, mono, self.frame);
            }
            None => mono.fill(0.0),
        }
        self.frame += frames as u64;
        for (frame, sample) in output.chunks_exact_mut(self.channels).zip(mono) {
            frame.fill(*sample);
        }
    }
}

impl Tap {
    fn waiting(&self) -> usize {
        self.queue.slots() / self.channels
    }

    /// Drops what waits beyond the cushion once that is too much; says how many frames.
    fn pass_over(&mut self, frames: usize) -> u64 {
        let waiting = self.waiting();
        if waiting <= self.cushion_frames + frames + SLACK_FRAMES {
            return 0;
        }
        let excess = waiting - self.cushion_frames - frames;
        if let Ok(chunk) = self.queue.read_chunk(excess * self.channels) {
            chunk.commit_all();
        }
        // What came before anybody listened is no time lost.
        if self.filling { 0 } else { excess as u64 }
    }

    /// Takes up to `frames`; says how many there were, and whether there were too few where there should not be.
    fn take(&mut self, frames: usize, to: &mut [f32]) -> (usize, bool) {
        let waiting = self.waiting();
        if self.filling {
            if waiting < self.cushion_frames + frames {
                return (0, false);
            }
            self.filling = false;
        }
        let taken = waiting.min(frames);
        if let Ok(chunk) = self.queue.read_chunk(taken * self.channels) {
            let (first, second) = chunk.as_slices();
            to[..first.len()].copy_from_slice(first);
            to[first.len()..first.len() + second.len()].copy_from_slice(second);
            chunk.commit_all();
        }
        let starved = taken < frames;
        if starved {
            self.filling = true;
            self.cushion_frames = (self.cushion_frames + frames - taken).min(CUSHION_MAX);
        }
        (taken, starved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_modem::{Listen, ModemConfig, ModemLink};
    use link_transport::{LinkTime, LinkTransport, Role};

    fn setup() -> ModemConfig {
        ModemConfig::new(48_000, Role::Host).with_rx(Listen::Role(Role::Host))
    }

    /// A phone that hears itself through callbacks of changing sizes, `skip` of whose speaker callbacks never come.
    fn hear_oneself(skip: std::ops::Range<usize>) -> (u64, u64, u64) {
        let (mut link, pump) = ModemLink::pair(setup()).unwrap();
        let (mut control, mut engine) = speaker(2);
        control.run_pump(pump);
        let (mut feed, tap) = microphone(1, 960, control.counters());
        control.plug(Some(tap));
        let mut air = std::collections::VecDeque::from(vec![1e-4_f32; 480]);
        for round in 0..1000 {
            // A microphone's callbacks come in any size from one frame.
            let mut left = 480;
            for size in [1, 7, 160, 312] {
                let piece: Vec<f32> = air.drain(..size.min(left)).collect();
                left -= piece.len();
                feed.capture(&piece);
            }
            let mut speaker = [0.0; 960];
            if !skip.contains(&round) {
                engine.render(&mut speaker);
            }
            let left: Vec<f32> = speaker.iter().step_by(2).copied().collect();
            let right: Vec<f32> = speaker.iter().skip(1).step_by(2).copied().collect();
            assert_eq!(left, right, "every channel the same");
            air.extend(left.iter().map(|sample| sample + 1e-5));
            let now = LinkTime::from_ms(round as u64 * 10);
            while link.poll(now).is_some() {}
        }
        let counters = control.counters();
        assert_eq!(counters.captured.load(Relaxed), 480_000);
        (
            link.stats().rx_ok,
            counters.starved.load(Relaxed),
            counters.dropped.load(Relaxed),
        )
    }

    #[test]
    fn a_microphone_in_pieces_of_any_size_is_heard_whole() {
        let (good, starved, dropped) = hear_oneself(0..0);
        assert!(good > 30, "{good} packets of about 40");
        assert_eq!((starved, dropped), (0, 0));
    }

    #[test]
    fn a_speaker_that_stopped_passes_over_what_it_missed_and_is_heard_again() {
        let (good, _, dropped) = hear_oneself(300..350);
        assert!(good > 20, "{good} packets");
        assert!(
            (23_000..=25_000).contains(&dropped),
            "half a second: {dropped} frames"
        );
    }

    #[test]
    fn a_dry_queue_waits_for_a_larger_cushion() {
        let (mut control, mut engine) = speaker(1);
        let (mut feed, tap) = microphone(1, 100, control.counters());
        control.plug(Some(tap));
        let mut speaker = [0.0; 200];
        feed.capture(&[0.5; 300]);
        engine.render(&mut speaker); // takes 200 of 300
        engine.render(&mut speaker); // and the last 100: dry
        assert_eq!(control.counters().starved.load(Relaxed), 1);
        feed.capture(&[0.5; 300]);
        engine.render(&mut speaker); // the cushion is 200 now: not yet
        assert_eq!(engine.tap.as_ref().unwrap().waiting(), 300);
        feed.capture(&[0.5; 100]);
        engine.render(&mut speaker);
        assert_eq!(engine.tap.as_ref().unwrap().waiting(), 200);
        assert_eq!(control.counters().starved.load(Relaxed), 1);
    }

    /// The fewest heap calls of this program during any of many calls of `work`: other tests run beside this one, and
    /// what `work` itself did would be in each of them.
    fn fewest_heap_calls(mut work: impl FnMut(usize)) -> usize {
        let mut fewest = usize::MAX;
        for round in 0..200 {
            let region = stats_alloc::Region::new(&stats_alloc::INSTRUMENTED_SYSTEM);
            work(round);
            let done = region.change();
            fewest = fewest.min(done.allocations + done.deallocations + done.reallocations);
        }
        fewest
    }

    #[test]
    fn neither_callback_touches_the_heap_not_even_when_something_is_replaced() {
        let (_link, pump) = ModemLink::pair(setup()).unwrap();
        let (mut control, mut engine) = speaker(2);
        control.run_pump(pump);
        let (mut feed, tap) = microphone(1, 480, control.counters());
        control.plug(Some(tap));
        let (microphone_frames, mut speaker_frames) = ([1e-3; 480], [0.0; 960]);
        let calls = fewest_heap_calls(|_| {
            feed.capture(&microphone_frames);
            engine.render(&mut speaker_frames);
        });
        assert_eq!(calls, 0);

        let mut waiting: Vec<Swap> = Vec::new();
        for _ in 0..200 {
            waiting.push(Swap::Pump(Some(Box::new(
                ModemLink::pair(setup()).unwrap().1,
            ))));
        }
        let mut taken = Vec::with_capacity(200);
        let calls = fewest_heap_calls(|_| {
            let swap = waiting.pop().unwrap();
            assert!(control.swaps.push(swap).is_ok());
            engine.take_swaps();
            taken.push(control.returned.pop().unwrap());
        });
        assert_eq!(calls, 0);
    }

    #[test]
    fn what_is_replaced_is_freed_by_the_desk() {
        let (mut control, mut engine) = speaker(1);
        let mut links = Vec::new();
        for _ in 0..40 {
            let (link, pump) = ModemLink::pair(setup()).unwrap();
            links.push(link);
            control.run_pump(pump);
            control.plug(None);
            engine.render(&mut [0.0; 64]);
        }
        control.sweep();
        for (at, link) in links.iter_mut().enumerate() {
            let _ = link.poll(LinkTime::from_ms(1));
            assert_eq!(link.stopped().is_some(), at < 39, "pump {at}");
        }
    }
}
