//! A running match allocates nothing.

mod common;

use common::World;
use net_session::{Part, Request};
use net_transport::{LinkConfig, Loss, NetTime, NetTransport};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

thread_local! {
    static COUNT: Cell<Option<usize>> = const { Cell::new(None) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get().map(|count| count + 1)));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A transport in front of another one that does not count what the simulated internet allocates.
struct Quiet<'a, T>(&'a mut T);

fn uncounted<R>(work: impl FnOnce() -> R) -> R {
    let before = COUNT.replace(None);
    let result = work();
    COUNT.set(before);
    result
}

impl<T: NetTransport> NetTransport for Quiet<'_, T> {
    fn carrier(&self) -> net_transport::Carrier {
        self.0.carrier()
    }
    fn poll(&mut self, now: NetTime) -> Option<net_transport::NetEvent<'_>> {
        uncounted(|| self.0.poll(now))
    }
    fn send(
        &mut self,
        now: NetTime,
        peer: net_transport::PeerId,
        lane: net_transport::Lane,
        bytes: &[u8],
    ) -> net_transport::SendResult {
        uncounted(|| self.0.send(now, peer, lane, bytes))
    }
    fn disconnect(&mut self, now: NetTime, peer: net_transport::PeerId) {
        self.0.disconnect(now, peer);
    }
    fn next_wake(&self) -> Option<NetTime> {
        self.0.next_wake()
    }
    fn is_up(&self, peer: net_transport::PeerId) -> bool {
        self.0.is_up(peer)
    }
}

#[test]
fn no_frame_of_a_running_match_allocates() {
    for (seats, prediction, loss) in [(2, 0, 0.0), (2, 12, 0.2), (4, 8, 0.1), (8, 0, 0.1)] {
        let link = LinkConfig::default()
            .latency_us(50_000)
            .jitter_us(10_000)
            .loss(Loss::Bernoulli(loss));
        let mut world = World::new(seats, link, 7, |it| {
            it.input_delay(4).prediction(prediction)
        });
        world.run_to(4_000_000);
        let from = world.now;
        let mut frames = 0u64;
        for ms in (from / 1_000..from / 1_000 + 10_000).step_by(2) {
            for player in &mut world.players {
                let now = NetTime::from_ms(ms);
                let session = &mut player.session;
                let seat = match_feed::Seat::new(player.index as u8).expect("a seat");
                let mut end = Quiet(&mut player.end);
                COUNT.set(Some(0));
                session
                    .set_input(seat, &[(ms / 200) as u8])
                    .expect("its seat");
                session.advance(now, &mut end);
                loop {
                    match session.poll_request() {
                        Some(Request::Hash { frame }) => {
                            session.put_hash(
                                frame,
                                5,
                                &[Part {
                                    name: "all",
                                    hash: 5,
                                }],
                            );
                        }
                        Some(Request::Step { .. }) => frames += 1,
                        Some(_) => {}
                        None => break,
                    }
                }
                while session.poll_event().is_some() {}
                let count = COUNT.replace(None);
                assert_eq!(
                    count,
                    Some(0),
                    "{seats} seats, prediction {prediction}, at {ms} ms"
                );
            }
        }
        assert!(frames > 500 * u64::from(seats), "{frames}");
        assert!(world.players[0].session.agreed().0 > 400);
    }
}
