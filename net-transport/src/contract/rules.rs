//! One function a rule, or a few rules that one run shows.

use super::{
    Broken, Rig, Weather,
    crew::{Crew, Heard, STEP_US, broken, message, number},
};
use crate::{Carrier, DownReason, FAST_BYTES_MAX, Lane, RELIABLE_BYTES_MAX, SendResult};
use alloc::{boxed::Box, format, vec::Vec};

/// A fast message that arrives later than this is stale.
const FRESH_US: u64 = 1_000_000;
/// How much longer a fast message may take beside a long reliable one, half of them at least.
const BESIDE_US: u64 = 30_000;
/// What a reliable lane must not take without saying `Full`, in messages of 64 KiB.
const TAKEN_MAX: u32 = 64;

type Make<'a> = &'a mut dyn FnMut(Weather) -> Option<Box<dyn Rig>>;

fn new(make: Make<'_>, lazy: bool) -> Result<Crew, Broken> {
    let rig = make(Weather::Clear).expect("a maker makes rigs in clear weather");
    Crew::meet(rig, lazy)
}

/// Everything that shows in clear weather.
pub(super) fn clear(make: Make<'_>) -> Result<(), Broken> {
    let mut crew = new(make, false)?;
    reliable(&mut crew)?;
    fast_lengths(&mut crew)?;
    too_long(&mut crew)?;
    beside(&mut crew)?;
    down(&mut crew)?;
    let mut crew = new(make, true)?;
    reliable(&mut crew)?;
    let mut crew = new(make, false)?;
    flood_fast(&mut crew)?;
    flood_reliable(&mut crew)
}

/// Everything that shows in rough weather.
pub(super) fn rough(rig: Box<dyn Rig>) -> Result<(), Broken> {
    let mut crew = Crew::meet(rig, false)?;
    lossy(&mut crew)?;
    reliable(&mut crew)
}

/// Rules 1 and 3: everybody sends everybody messages of all lengths at once.
fn reliable(crew: &mut Crew) -> Result<(), Broken> {
    const LENGTHS: [usize; 12] = [
        4,
        0,
        1_180,
        5,
        1_181,
        1_200,
        5_000,
        RELIABLE_BYTES_MAX,
        4,
        3,
        1_199,
        20_000,
    ];
    crew.heard.clear();
    let ends = crew.ends();
    for (number, length) in LENGTHS.into_iter().enumerate() {
        for from in 0..ends {
            for to in (0..ends).filter(|to| *to != from) {
                let bytes = message(tagged(from, to, number as u32), length);
                crew.put(3, from, crew.peer(from, to), Lane::Reliable, &bytes)?;
            }
        }
    }
    let all = LENGTHS.len() * ends * (ends - 1);
    crew.until(
        3,
        60_000_000,
        "reliable messages are missing after a minute",
        |crew| reliable_heard(crew) >= all,
    )?;
    crew.run(1_000_000)?;
    for at in 0..ends {
        for from in (0..ends).filter(|from| *from != at) {
            let heard = crew
                .heard
                .iter()
                .filter(|heard| (heard.at, heard.from, heard.lane) == (at, from, Lane::Reliable));
            let heard: Vec<&Heard> = heard.collect();
            if heard.len() != LENGTHS.len() {
                return broken(
                    3,
                    format!("{} of {} messages arrived", heard.len(), LENGTHS.len()),
                );
            }
            for (place, (heard, length)) in heard.into_iter().zip(LENGTHS).enumerate() {
                if heard.bytes == message(tagged(from, at, place as u32), length) {
                    continue;
                }
                let theirs =
                    number(&heard.bytes).map(|number| (number >> 8 & 0xFF, number >> 16 & 0xFF));
                let rule = if theirs.is_some_and(|theirs| theirs != (from as u32, at as u32)) {
                    1
                } else {
                    3
                };
                return broken(
                    rule,
                    format!(
                        "message {place} of end {from} to end {at}: not what was sent ({length} bytes)"
                    ),
                );
            }
        }
    }
    Ok(())
}

fn reliable_heard(crew: &Crew) -> usize {
    let reliable = crew
        .heard
        .iter()
        .filter(|heard| heard.lane == Lane::Reliable);
    reliable.count()
}

fn tagged(from: usize, to: usize, number: u32) -> u32 {
    (from as u32) << 8 | (to as u32) << 16 | number
}

/// Rule 4: every length passes; a lost one is sent again, since clear weather is no promise.
fn fast_lengths(crew: &mut Crew) -> Result<(), Broken> {
    for length in [0, 1, 3, 4, 5, 100, 1_199, FAST_BYTES_MAX] {
        let bytes = message(length as u32, length);
        let mut passed = false;
        for _ in 0..5 {
            crew.heard.clear();
            crew.put(4, 0, crew.peer(0, 1), Lane::Fast, &bytes)?;
            crew.run(500_000)?;
            passed |= crew
                .heard
                .iter()
                .any(|heard| (heard.at, heard.lane) == (1, Lane::Fast) && heard.bytes == bytes);
            if let Some(wrong) = crew
                .heard
                .iter()
                .find(|heard| heard.bytes != bytes || heard.at != 1)
            {
                return broken(
                    4,
                    format!(
                        "end {} heard {} bytes, not the {length} sent",
                        wrong.at,
                        wrong.bytes.len()
                    ),
                );
            }
            if passed {
                break;
            }
        }
        if !passed {
            return broken(4, format!("a fast message of {length} bytes does not pass"));
        }
    }
    Ok(())
}

/// Rule 9.
fn too_long(crew: &mut Crew) -> Result<(), Broken> {
    crew.heard.clear();
    for lane in [Lane::Reliable, Lane::Fast] {
        let result = crew.send(0, 1, lane, &message(1, lane.bytes_max() + 1));
        if result != SendResult::TooLong {
            return broken(
                9,
                format!("{lane:?}, {} bytes: {result:?}", lane.bytes_max() + 1),
            );
        }
    }
    crew.put(9, 0, crew.peer(0, 1), Lane::Reliable, &message(2, 4))?;
    crew.until(
        9,
        5_000_000,
        "nothing passes after a message too long",
        |crew| !crew.heard.is_empty(),
    )?;
    if crew.heard.len() != 1 {
        return broken(9, "something of a message too long arrived");
    }
    Ok(())
}

/// Sends a fast message every ten milliseconds until `done`: how long each that arrived took.
fn delays(
    crew: &mut Crew,
    rough: bool,
    done: impl Fn(&Crew, usize) -> bool,
) -> Result<Vec<u64>, Broken> {
    let mut sent_us = Vec::new();
    while !done(crew, sent_us.len()) {
        sent_us.push(crew.time_us());
        let _ = crew.send(0, 1, Lane::Fast, &message(sent_us.len() as u32 - 1, 40));
        crew.run(10_000)?;
        if sent_us.len() > 6_000 {
            return broken(3, "a long reliable message has been under way for a minute");
        }
    }
    crew.run(FRESH_US + 1_500_000)?;
    let mut delays = Vec::new();
    for heard in crew.heard.iter().filter(|heard| heard.lane == Lane::Fast) {
        let Some(sent_us) = number(&heard.bytes).and_then(|number| sent_us.get(number as usize))
        else {
            continue;
        };
        delays.push(heard.time_us - sent_us);
    }
    delays.sort_unstable();
    let repeats = rough && crew.end(0).carrier() == Carrier::Stream;
    if !repeats
        && delays
            .last()
            .is_some_and(|late_us| *late_us > FRESH_US + 10 * STEP_US)
    {
        return broken(5, "a fast message arrived more than a second late");
    }
    Ok(delays)
}

/// Rules 5 and 8.
fn beside(crew: &mut Crew) -> Result<(), Broken> {
    crew.heard.clear();
    let alone = delays(crew, false, |_, sent| sent == 50)?;
    if crew.end(0).carrier() == Carrier::Stream {
        return Ok(());
    }
    if alone.len() < 25 {
        return broken(
            4,
            format!(
                "of 50 fast messages {} arrived in clear weather",
                alone.len()
            ),
        );
    }
    crew.heard.clear();
    for tag in 0..2 {
        crew.put(
            3,
            0,
            crew.peer(0, 1),
            Lane::Reliable,
            &message(tag, RELIABLE_BYTES_MAX),
        )?;
    }
    let long = |heard: &&Heard| heard.lane == Lane::Reliable;
    let with = delays(crew, false, |crew, _| {
        crew.heard.iter().filter(long).count() == 2
    })?;
    let (alone_us, with_us) = (middle(&alone), middle(&with));
    if with_us > alone_us + BESIDE_US {
        return broken(
            8,
            format!("fast messages took {with_us} µs beside a long one, {alone_us} µs alone"),
        );
    }
    Ok(())
}

fn middle(sorted: &[u64]) -> u64 {
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

/// Rules 5 and 7, the fast lane.
fn flood_fast(crew: &mut Crew) -> Result<(), Broken> {
    crew.heard.clear();
    let start_us = crew.time_us();
    for tag in 0..4_000 {
        let result = crew.send(0, 1, Lane::Fast, &message(tag, FAST_BYTES_MAX));
        if !matches!(result, SendResult::Sent | SendResult::Full) {
            return broken(7, format!("a flooded fast lane says {result:?}"));
        }
    }
    crew.run(4 * FRESH_US)?;
    if crew
        .heard
        .iter()
        .any(|heard| heard.time_us > start_us + FRESH_US + 10 * STEP_US)
    {
        return broken(
            5,
            "a flooded fast lane delivers what is more than a second old",
        );
    }
    fast_lengths(crew)
}

/// Rule 7, the reliable lane.
fn flood_reliable(crew: &mut Crew) -> Result<(), Broken> {
    crew.heard.clear();
    let mut taken = 0;
    loop {
        match crew.send(0, 1, Lane::Reliable, &message(taken, RELIABLE_BYTES_MAX)) {
            SendResult::Sent => taken += 1,
            SendResult::Full => break,
            result => return broken(7, format!("a flooded reliable lane says {result:?}")),
        }
        if taken > TAKEN_MAX {
            return broken(7, "the reliable lane takes whatever it is given");
        }
    }
    if taken == 0 {
        return broken(7, "an idle reliable lane has no room for one message");
    }
    crew.until(
        7,
        60_000_000,
        "what a flooded reliable lane took does not arrive",
        |crew| crew.heard.len() >= taken as usize,
    )?;
    // What was refused must not come; what is sent now must.
    crew.put(
        7,
        0,
        crew.peer(0, 1),
        Lane::Reliable,
        &message(taken + 1, 9),
    )?;
    crew.until(7, 10_000_000, "the reliable lane stays full", |crew| {
        crew.heard.len() > taken as usize
    })?;
    let heard = crew.heard.iter().map(|heard| number(&heard.bytes));
    match heard.eq((0..taken).chain([taken + 1]).map(Some)) {
        true => Ok(()),
        false => broken(
            7,
            "a flooded reliable lane delivers other than what it took",
        ),
    }
}

/// Rule 6.
fn lossy(crew: &mut Crew) -> Result<(), Broken> {
    const SENT: usize = 400;
    crew.heard.clear();
    let delays = delays(crew, true, |_, sent| sent == SENT)?;
    let fast = crew.heard.iter().filter(|heard| heard.lane == Lane::Fast);
    let numbers: Vec<Option<u32>> = fast.map(|heard| number(&heard.bytes)).collect();
    let mut arrived: Vec<u32> = numbers.iter().copied().flatten().collect();
    match crew.end(0).carrier() {
        Carrier::Stream => {
            if numbers.iter().any(Option::is_none) {
                return broken(6, "a stream delivers damaged messages");
            }
            if !arrived.is_sorted_by(|a, b| a < b) {
                return broken(6, "a stream delivers out of order");
            }
        }
        Carrier::Datagram => {
            arrived.sort_unstable();
            arrived.dedup();
            if arrived.len() == SENT {
                return broken(
                    6,
                    "nothing is ever lost where a tenth must be: not a datagram's lane",
                );
            }
            if arrived.len() < SENT / 10 {
                return broken(
                    6,
                    format!("{} of {SENT} fast messages arrive", arrived.len()),
                );
            }
            let late_us = delays.last().copied().unwrap_or(0);
            if late_us > 500_000 + 10 * STEP_US {
                return broken(
                    6,
                    format!(
                        "a fast message took {late_us} µs: it was held up by another, or repeated"
                    ),
                );
            }
        }
    }
    Ok(())
}

/// Rules 10 and 11.
fn down(crew: &mut Crew) -> Result<(), Broken> {
    let ends = crew.ends();
    let _ = crew.send(1, 0, Lane::Fast, b"too late");
    let _ = crew.send(1, 0, Lane::Reliable, b"too late");
    let peer = crew.peer(0, 1);
    crew.disconnect(0, peer);
    let result = crew.send(0, 1, Lane::Fast, b"gone");
    if crew.end(0).is_up(peer) || result != SendResult::Gone {
        return broken(
            10,
            format!("a peer just disconnected can be sent to: {result:?}"),
        );
    }
    let _ = crew.send(1, 0, Lane::Fast, b"later still");
    // `is_up` is held against what was told from here on.
    let deadline_us = crew.time_us() + 10_000_000;
    while crew.down(0, 1).is_none() || crew.down(1, 0).is_none() {
        if crew.time_us() > deadline_us {
            return broken(
                11,
                "a disconnection is not told at both ends within ten seconds",
            );
        }
        crew.step()?;
    }
    if crew.down(0, 1) != Some(DownReason::Local) {
        return broken(11, format!("disconnected here: {:?}", crew.down(0, 1)));
    }
    if !matches!(crew.down(1, 0), Some(DownReason::Closed | DownReason::Lost)) {
        return broken(11, format!("disconnected there: {:?}", crew.down(1, 0)));
    }
    for (at, of) in [(0, 1), (1, 0)] {
        let peer = crew.peer(at, of);
        for lane in [Lane::Reliable, Lane::Fast] {
            if crew.send(at, of, lane, b"gone") != SendResult::Gone {
                return broken(10, "a peer that is down can be sent to");
            }
        }
        crew.disconnect(at, peer);
    }
    crew.run(2_000_000)?;
    if crew.downs.len() != 2 {
        return broken(11, format!("{} peers went down, not 2", crew.downs.len()));
    }
    if ends > 2 {
        crew.heard.clear();
        crew.put(11, 0, crew.peer(0, 2), Lane::Reliable, &message(1, 9))?;
        crew.until(
            11,
            10_000_000,
            "another peer hears nothing any more",
            |crew| !crew.heard.is_empty(),
        )?;
    }
    Ok(())
}
