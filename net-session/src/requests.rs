//! Which frames are stepped, and the requests that say so.

use crate::{
    Frame,
    event::{Request, StepFlags},
    session::{Phase, Session},
    wire::{NO_FRAME, SEATS_MAX, WINDOW_MAX},
};

/// The most frames stepped at one `advance` by who has to catch up.
const CATCH_UP: u32 = 16;

impl Session {
    /// Decides which frames the host steps now, and takes the local inputs that they need.
    pub(crate) fn schedule(&mut self) {
        self.fresh = false;
        if let Phase::Wait { until } = self.phase {
            if self.now < until {
                return;
            }
            self.phase = Phase::Run;
            self.pace.start(self.now);
            self.progress = (0, self.now);
            self.say(crate::Event::Going);
        }
        if self.phase != Phase::Run {
            return;
        }
        self.confirm();
        // A member that has to catch up does not wait for its pace.
        let behind = self.frames_behind();
        let mut hurry = if behind > 1 { CATCH_UP.min(behind) } else { 0 };
        let from = self.goal;
        while self.pace.is_due() || hurry > 0 {
            let sampled = self.sample(self.goal);
            self.confirm();
            if !sampled || self.goal >= self.limit() {
                if self.pace.is_due() {
                    self.stats.stalled += 1;
                    self.pace.stall();
                }
                break;
            }
            self.goal += 1;
            if self.pace.is_due() {
                self.pace.stepped();
            } else {
                hurry -= 1;
            }
        }
        self.fresh = self.goal > from;
        if self.rewind == NO_FRAME && self.goal == self.position {
            return;
        }
        for line in &mut self.lines {
            line.predict_newest();
        }
    }

    /// How far the host may step.
    fn limit(&self) -> u32 {
        let ahead = if self.is_alive() {
            u32::from(self.config.prediction)
        } else {
            0
        };
        let freeze = self.desync.as_ref().map_or(NO_FRAME, |it| it.frame.0);
        self.confirmed
            .saturating_add(ahead)
            .min(self.end)
            .min(freeze)
    }

    pub(crate) fn confirm(&mut self) {
        let known = self.lines.iter().map(super::line::Line::known).min();
        let known = known.unwrap_or(0);
        debug_assert!(known >= self.confirmed, "confirmed frames stay confirmed");
        self.confirmed = known.max(self.confirmed);
    }

    /// Takes the local inputs that are needed to stand at `position`. False if a member's window is full.
    fn sample(&mut self, position: u32) -> bool {
        if let Some((delay, frame)) = self.delay_next
            && position >= frame
        {
            self.delay_next = None;
            self.delay = delay;
        }
        if !self.is_alive() {
            return true;
        }
        let target = position.saturating_add(u32::from(self.delay));
        for at in 0..self.lines.len() {
            let line = &self.lines[at];
            if line.seat.owner != self.me || line.ring.next() < line.seat.from {
                continue;
            }
            let next = line.ring.next();
            if next > target || next >= line.hold {
                continue;
            }
            let live = self.members.live;
            let oldest = self.links.iter().take(SEATS_MAX).enumerate();
            let oldest = oldest
                .filter(|(member, link)| live & 1 << member != 0 && link.talks())
                .map(|(_, link)| link.acked[at]);
            if let Some(oldest) = oldest.min()
                && oldest != NO_FRAME
                && target - oldest.min(target) >= WINDOW_MAX
            {
                return false;
            }
            for frame in next..=target.min(line.hold - 1) {
                let line = &mut self.lines[at];
                let (mut input, mut len) = ([0; crate::wire::INPUT_BYTES_MAX], 0);
                if frame < target {
                    // The delay grew: the newest input stays in force. A bot's first frames are empty.
                    if frame > line.seat.from {
                        let before = line.ring.get(frame - 1).unwrap_or(&[]);
                        len = before.len();
                        input[..len].copy_from_slice(before);
                    }
                } else if !self.away {
                    let given = &self.local.bytes[at][..usize::from(self.local.lengths[at])];
                    len = given.len();
                    input[..len].copy_from_slice(given);
                }
                line.put(frame, &input[..len], self.position, &mut self.rewind);
            }
        }
        true
    }

    /// The next thing for the host to do; `None`: call `advance` again when it is time.
    pub fn poll_request(&mut self) -> Option<Request<'_>> {
        if let Some(frame) = self.take_restore() {
            let state = self.loading.state();
            return Some(Request::Restore { frame, state });
        }
        if self.rewind != NO_FRAME {
            let frame = core::mem::replace(&mut self.rewind, NO_FRAME);
            debug_assert!(frame < self.position && frame >= self.logged);
            self.stats.rollbacks += 1;
            self.position = frame;
            self.saved = frame;
            self.hash_asked = NO_FRAME;
            self.hashes.forget_after(frame);
            self.snapshot.forget_after(frame);
            if self.end > frame {
                self.end = NO_FRAME;
            }
            return Some(Request::Load {
                frame: Frame(frame),
            });
        }
        if self.is_hashed(self.position)
            && self.hash_asked != self.position
            && !self.hashes.has_hash(self.position)
        {
            self.hash_asked = self.position;
            return Some(Request::Hash {
                frame: Frame(self.position),
            });
        }
        if self.snapshot.is_due(self.position) {
            return Some(Request::Snapshot {
                frame: Frame(self.position),
            });
        }
        if self.position < self.goal {
            return Some(self.step());
        }
        if self.logged < self.confirmed.min(self.position) {
            return Some(self.log());
        }
        None
    }

    pub(crate) const fn is_hashed(&self, frame: u32) -> bool {
        frame > 0 && (frame.is_multiple_of(self.config.hash_every as u32) || frame == self.end)
    }

    fn step(&mut self) -> Request<'_> {
        let frame = self.position;
        let predicted = frame >= self.confirmed;
        if predicted && self.saved != frame {
            self.saved = frame;
            return Request::Save {
                frame: Frame(frame),
            };
        }
        for (at, line) in self.lines.iter().enumerate() {
            self.inputs.set(at, line.input_or_predicted(frame));
        }
        self.position = frame + 1;
        self.hash_asked = NO_FRAME;
        let resimulated = frame < self.stepped;
        self.stats.resimulated += u64::from(resimulated);
        self.stepped = self.stepped.max(self.position);
        Request::Step {
            frame: Frame(frame),
            inputs: &self.inputs,
            flags: StepFlags {
                predicted,
                resimulated,
                confirmed: !predicted,
            },
        }
    }

    fn log(&mut self) -> Request<'_> {
        let frame = self.logged;
        for (at, line) in self.lines.iter_mut().enumerate() {
            self.inputs.set(at, line.input(frame).unwrap_or(&[]));
            line.digest(frame);
        }
        self.logged = frame + 1;
        let hashed = self.is_hashed(self.logged);
        if hashed || self.snapshot.is_for(self.logged) {
            let mut digests = [0; SEATS_MAX];
            for (digest, line) in digests.iter_mut().zip(&self.lines) {
                *digest = line.digest;
            }
            if hashed {
                self.hashes.put_digests(self.logged, digests);
            }
            self.snapshot.put_digests(self.logged, digests);
        }
        Request::Confirmed {
            frame: Frame(frame),
            inputs: &self.inputs,
        }
    }
}
