//! Who sits at the table: this phone, and in practice its peer, who is another phone of the same kind in the same
//! room, played by an AI.

use super::{
    app::{App, Autopilot, Want},
    intent::Intent,
    sound::{Sound, room::RoomSound},
    store::Store,
};
use game_sim::AiLevel;
use link_room::RoomConfig;
use link_transport::LinkTime;
use std::time::{Duration, Instant};

/// How far apart the phones of a practice link lie, as advised.
const PRACTICE_CM: f64 = 20.0;
/// A practice link's clock does not run through what the machine slept through.
const STEP_MAX: Duration = Duration::from_millis(250);

/// This phone and, in practice, its peer.
pub struct Table<S> {
    /// This phone.
    pub app: App<S>,
    peer: Option<(App<S>, Autopilot)>,
}

impl<S: Sound> Table<S> {
    /// A phone whose peer is somewhere else.
    #[cfg(feature = "live")]
    pub fn alone(app: App<S>) -> Self {
        Self { app, peer: None }
    }

    /// Lets time come for all who sit here.
    pub fn tick(&mut self, now: LinkTime) {
        self.app.tick(now);
        let Some((peer, pilot)) = &mut self.peer else {
            return;
        };
        // One hosts, the other joins: the peer takes the seat that is left.
        let role = self
            .app
            .duel()
            .map_or(self.app.want.role, |duel| duel.role());
        peer.want.role = role.other();
        peer.tick(now);
        let wrong_seat = peer
            .duel()
            .is_some_and(|duel| duel.role() == role && duel.may_change());
        let intent = if wrong_seat {
            Some(Intent::SwitchRole)
        } else {
            pilot.next(peer)
        };
        if let Some(intent) = intent {
            peer.handle(intent);
        }
    }
}

impl Table<RoomSound> {
    /// Two phones in one simulated room; `seed` decides everything random.
    pub fn practice(want: Want, peer: AiLevel, store: Store, seed: u64) -> Self {
        let room = RoomConfig::at_distance_cm(PRACTICE_CM).with_seed(seed);
        Self::practice_in(&room, want, peer, store, seed)
    }

    /// The same in a room of one's own.
    pub fn practice_in(
        room: &RoomConfig,
        want: Want,
        peer: AiLevel,
        store: Store,
        seed: u64,
    ) -> Self {
        let [own, other] = RoomSound::pair(room);
        let its = Want {
            role: want.role.other(),
            opener: None,
            ai: Some(peer),
            ..want.clone()
        };
        Self {
            app: App::new(own, want, store, seed.wrapping_mul(2)),
            peer: Some((
                App::new(
                    other,
                    its,
                    Store::nowhere(),
                    seed.wrapping_mul(2).wrapping_add(1),
                ),
                Autopilot::forever(),
            )),
        }
    }
}

#[cfg(test)]
impl<S> Table<S> {
    /// This phone and its peer.
    pub fn both(&mut self) -> (&mut App<S>, Option<&mut App<S>>) {
        (&mut self.app, self.peer.as_mut().map(|(peer, _)| peer))
    }
}

/// What time it is for the phones.
pub struct Clock {
    last: Instant,
    elapsed: Duration,
    /// The most that passes between two looks; a live link's clock never stops.
    step_max: Duration,
}

impl Clock {
    /// A live link's: the wall's.
    #[cfg(feature = "live")]
    pub fn live() -> Self {
        Self::new(Duration::MAX)
    }

    /// A practice link's.
    pub fn practice() -> Self {
        Self::new(STEP_MAX)
    }

    fn new(step_max: Duration) -> Self {
        Self {
            last: Instant::now(),
            elapsed: Duration::ZERO,
            step_max,
        }
    }

    /// Now.
    pub fn now(&mut self) -> LinkTime {
        let now = Instant::now();
        self.elapsed += (now - self.last).min(self.step_max);
        self.last = now;
        LinkTime::ZERO + self.elapsed
    }
}
