//! Which input delay the links ask for, and how all change it at one frame.

use crate::{
    Frame,
    event::Event,
    session::{Phase, Session},
    wire::{DELAY_MAX, SEATS_MAX},
};
use net_transport::NetTime;

const LOOK_EVERY_US: u64 = 500_000;
/// Looks in a row that must ask for more before the delay grows, and for less before it shrinks.
const LOOKS_TO_GROW: i32 = 2;
const LOOKS_TO_SHRINK: i32 = -20;
/// How many times a change is told, and how far apart: who misses all of them just keeps its delay.
const TELLINGS: u8 = 8;
pub(crate) const TELL_EVERY_US: u64 = 200_000;
/// What is added where much is lost.
const BAD_FRAMES: u8 = 2;

impl Session {
    /// Looks at the links from time to time, and as the coordinator changes the delay if they ask for it.
    pub(crate) fn choose_delay(&mut self, now: NetTime) {
        if self.phase != Phase::Run || now < self.wish_at {
            return;
        }
        self.wish_at = now.plus(LOOK_EVERY_US);
        let live = self.members.live;
        let mut mine = 0;
        let mut all = 0;
        for (member, link) in self.links.iter().take(SEATS_MAX).enumerate() {
            if live & 1 << member == 0 || !link.talks() || link.trips.count() == 0 {
                continue;
            }
            let bad = link.is_bad() || link.losses.bursts(now) || link.losses.percent() > 15;
            let wish = self.delay_for(link.trips.one_way_us()) + if bad { BAD_FRAMES } else { 0 };
            mine = mine.max(wish);
            all = all.max(link.its_wish);
        }
        self.wish = mine.min(DELAY_MAX);
        let Some((least, most)) = self.config.adaptive else {
            return;
        };
        if !self.is_coordinator() || mine == 0 || self.delay_next.is_some() {
            return;
        }
        let want = mine.max(all).clamp(least, most);
        self.wish_streak = if want > self.delay {
            self.wish_streak.max(0) + 1
        } else if want + 1 < self.delay {
            self.wish_streak.min(0) - 1
        } else {
            0
        };
        if self.wish_streak >= LOOKS_TO_GROW || self.wish_streak <= LOOKS_TO_SHRINK {
            self.wish_streak = 0;
            let frame = self.goal + self.frames_in(1_000_000);
            self.delay_change += 1;
            self.change_delay(want, frame);
            self.delay_tell = (TELLINGS, frame, want, now);
        }
    }

    fn change_delay(&mut self, delay: u8, frame: u32) {
        self.delay_next = Some((delay, frame));
        self.say(Event::Delay {
            frames: delay,
            frame: Frame(frame),
        });
    }

    pub(crate) fn heard_delay(&mut self, member: u8, change: u32, delay: u8, frame: u32) {
        let counts = self.phase == Phase::Run
            && self.coordinator() == Some(member)
            && change > self.delay_change;
        if counts {
            self.delay_change = change;
            self.change_delay(delay, frame);
        }
    }
}
