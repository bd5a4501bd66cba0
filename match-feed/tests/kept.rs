//! Input logs and desync bundles: what is written is read, and nothing else is; two bundles say where and why.

use match_feed::*;

fn played() -> PlayedMatch {
    PlayedMatch {
        game: "counters".into(),
        game_id: 0x0123_4567_89AB_CDEF,
        rate: TickRate::new(60).unwrap(),
        seats: 2,
        seed: 7,
        setup: vec![1, 2, 3],
    }
}

/// The smallest game with parts: what seat 0 gives counts in `left`, what seat 1 gives in `right`.
#[derive(Clone, Default)]
struct Counters([u64; 2]);

impl Counters {
    fn step(&mut self, inputs: &[&[u8]]) {
        for (count, input) in self.0.iter_mut().zip(inputs) {
            *count =
                count.wrapping_mul(31) + input.iter().map(|&byte| u64::from(byte)).sum::<u64>() + 1;
        }
    }
    fn hash(&self) -> WorldHash {
        WorldHash::of(&[self.0[0].to_le_bytes(), self.0[1].to_le_bytes()].concat())
    }
    fn parts(&self, part: &mut dyn FnMut(&str, WorldHash)) {
        part("left", WorldHash(self.0[0]));
        part("right", WorldHash(self.0[1]));
    }
}

fn pad(seat: usize, tick: u32) -> Vec<u8> {
    match (tick / 10 + seat as u32) % 3 {
        0 => vec![],
        kind => vec![kind as u8, seat as u8],
    }
}

fn log(ticks: u32) -> (InputLog, WorldHash) {
    let (mut log, mut world) = (InputLog::new(played()), Counters::default());
    let start = world.hash();
    log.push_hash(Tick(0), start);
    for tick in 0..ticks {
        let inputs = [pad(0, tick), pad(1, tick)];
        let inputs = [&inputs[0][..], &inputs[1][..]];
        log.push(Tick(tick), &inputs).unwrap();
        world.step(&inputs);
        if (tick + 1) % 60 == 0 {
            log.push_hash(Tick(tick + 1), world.hash());
        }
    }
    (log, start)
}

/// The digest behind the bytes is made right again: what is refused then is refused for what it says.
fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    let body = file.len() - 8;
    let check = WorldHash::of(&file[..body]).0.to_le_bytes();
    file[body..].copy_from_slice(&check);
    file
}

#[test]
fn a_log_is_read_as_it_was_written_and_plays_the_same() {
    let (log, start) = log(600);
    let file = log.encode();
    assert!(
        file.len() < 2_000,
        "a held input costs nothing: {} bytes",
        file.len()
    );
    let again = InputLog::decode(&file).unwrap();
    assert_eq!(again, log);
    assert_eq!(again.encode(), file);
    let mut world = Counters::default();
    let report = replay_inputs(&again, start, |inputs| {
        world.step(inputs);
        world.hash()
    });
    assert!(report.agrees());
    assert_eq!((report.ticks, report.hashes_equal), (Tick(600), 11));
}

#[test]
fn a_log_that_comes_out_differently_says_where_first() {
    let (log, start) = log(600);
    let (mut world, mut tick) = (Counters::default(), 0);
    let report = replay_inputs(&log, start, |inputs| {
        world.step(inputs);
        tick += 1;
        if tick == 130 {
            world.0[1] += 1;
        }
        world.hash()
    });
    assert_eq!(report.hashes_equal, 3, "after 0, 60 and 120 ticks");
    assert_eq!(report.difference.map(|it| it.0), Some(Tick(180)));
    assert_eq!(report.ticks, Tick(600));
}

#[test]
fn inputs_are_taken_in_order_whole_and_bounded() {
    let mut log = InputLog::new(played());
    let given = log.push(Tick(1), &[b"", b""]);
    assert_eq!(
        given,
        Err(TrackError::Order {
            given: Tick(1),
            expected: Tick(0)
        })
    );
    assert_eq!(
        log.push(Tick(0), &[b""]),
        Err(TrackError::Seats {
            given: 1,
            expected: 2
        })
    );
    let long = vec![0; TICK_INPUT_BYTES_MAX + 1];
    assert_eq!(
        log.push(Tick(0), &[b"", &long]),
        Err(TrackError::TooLong { bytes: long.len() })
    );
    let mut full = None;
    for tick in 0..20_000 {
        let loud = vec![tick as u8; TICK_INPUT_BYTES_MAX];
        if let Err(why) = log.push(Tick(tick), &[b"", &loud]) {
            full = Some(why);
            break;
        }
    }
    assert!(matches!(full, Some(TrackError::Full { .. })), "{full:?}");
    assert!(log.encode().len() <= INPUT_LOG_BYTES_MAX);
    assert!(
        InputLog::decode(&log.encode()).is_ok(),
        "a full log can be read"
    );
}

#[test]
fn every_cut_and_every_changed_byte_of_a_log_is_refused() {
    let file = log(100).0.encode();
    for end in 0..file.len() {
        assert!(InputLog::decode(&file[..end]).is_err(), "cut to {end}");
    }
    for at in 0..file.len() {
        let mut changed = file.clone();
        changed[at] ^= 1;
        assert!(InputLog::decode(&changed).is_err(), "byte {at}");
    }
    let mut longer = file.clone();
    longer.insert(file.len() - 8, 0);
    assert_eq!(
        InputLog::decode(&sealed(longer)),
        Err(KeptError::Trailing { bytes: 1 })
    );
    assert!(matches!(
        InputLog::decode(b"duel"),
        Err(KeptError::NotThis { .. })
    ));
    let mut later = file.clone();
    later[7] = 9;
    assert!(matches!(
        InputLog::decode(&later),
        Err(KeptError::Version { found: 9, .. })
    ));
}

#[test]
fn a_log_that_claims_more_than_it_holds_allocates_nothing_for_it() {
    let file = log(0).0.encode();
    // Behind the header: first and last tick, then the number of changes.
    let at = file.len() - 8 - 12 - 4 - 4;
    let mut claims = file.clone();
    claims[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(
        InputLog::decode(&sealed(claims)),
        Err(KeptError::Truncated {
            field: "number of inputs",
            ..
        })
    ));
    // A match of four thousand million ticks without an input would be stepped for days.
    let mut endless = file;
    endless[at - 4..at].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(
        InputLog::decode(&sealed(endless)),
        Err(KeptError::Range {
            field: "last tick",
            ..
        })
    ));
}

#[test]
fn what_is_dropped_from_a_track_leaves_what_is_held() {
    let (log, _) = log(100);
    for from in 0..=100 {
        let mut cut = log.inputs().clone();
        cut.drop_before(Tick(from));
        assert_eq!((cut.from(), cut.end()), (Tick(from), Tick(100)));
        let (mut ticks, mut count) = (cut.ticks(), from);
        while let Some((tick, inputs)) = ticks.next_tick() {
            assert_eq!(tick, Tick(count));
            assert_eq!(
                inputs,
                [&pad(0, count)[..], &pad(1, count)[..]],
                "cut at {from}, tick {count}"
            );
            count += 1;
        }
        assert_eq!(count, 100);
    }
}

/// What one machine's world does wrong, or what it is told wrongly.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Its world's right part slips in the step of this tick.
    World(u32),
    /// It is told another input of seat 1 in this tick.
    Input(u32),
}

fn bundle(fault: Fault) -> DesyncBundle {
    let mut watch = DesyncWatch::new(played(), "a machine", SeatSet::only(Seat::FIRST));
    let mut world = Counters::default();
    watch.stepped(Tick(0), world.hash(), |part| world.parts(part));
    for tick in 0..500 {
        let mut inputs = [pad(0, tick), pad(1, tick)];
        if fault == Fault::Input(tick) {
            inputs[1] = vec![99];
        }
        let inputs = [&inputs[0][..], &inputs[1][..]];
        watch.inputs(Tick(tick), &inputs).unwrap();
        world.step(&inputs);
        if fault == Fault::World(tick) {
            world.0[1] ^= 1;
        }
        let stepped = Tick(tick + 1);
        watch.stepped(stepped, world.hash(), |part| world.parts(part));
        if stepped.0.is_multiple_of(60) {
            watch.checkpoint();
            if stepped.0 <= 300 {
                watch.agreed(stepped, &world.0.map(u64::to_le_bytes).concat());
            }
        }
    }
    let peer = PeerReport {
        seat: Seat::new(1).unwrap(),
        hash: WorldHash(5),
        parts: vec![],
        digests: [0; SEATS_MAX],
    };
    let diverged = KeptState {
        stepped: Tick(500),
        bytes: world.0.map(u64::to_le_bytes).concat(),
    };
    watch.bundle(Tick(480), &[peer], Some(diverged))
}

#[test]
fn a_bundle_is_read_as_it_was_written_and_every_cut_and_change_is_refused() {
    let bundle = bundle(Fault::World(420));
    let file = bundle.encode();
    assert_eq!(DesyncBundle::decode(&file).unwrap(), bundle);
    assert_eq!(bundle.ring.len(), 501);
    assert_eq!(bundle.inputs.from(), Tick(300));
    for end in (0..file.len()).step_by(7) {
        assert!(
            DesyncBundle::decode(&sealed(file[..end.max(16)].to_vec())).is_err(),
            "cut to {end}"
        );
    }
    for at in (0..file.len()).step_by(11) {
        let mut changed = file.clone();
        changed[at] ^= 0x40;
        assert!(DesyncBundle::decode(&changed).is_err(), "byte {at}");
    }
}

#[test]
fn the_same_inputs_and_other_worlds_are_a_game_that_is_not_deterministic() {
    let (good, bad) = (bundle(Fault::None), bundle(Fault::World(420)));
    let found = compare_bundles(&good, &bad);
    assert_eq!(found.other_match, None);
    assert_eq!(found.inputs, None);
    assert_eq!(found.inputs_compared, 200);
    let expected = WorldDifference {
        stepped: Tick(421),
        parts: vec!["right".into()],
        first: true,
    };
    assert_eq!(found.worlds, Some(expected));
    let same = compare_bundles(&good, &good);
    assert_eq!(
        (same.inputs, same.worlds, same.hashes_compared),
        (None, None, 501)
    );
}

#[test]
fn other_inputs_are_a_peer_that_told_two_peers_two_things() {
    let (good, lied_to) = (bundle(Fault::None), bundle(Fault::Input(333)));
    let found = compare_bundles(&good, &lied_to);
    let inputs = found.inputs.unwrap();
    assert_eq!(
        (inputs.tick, inputs.seat),
        (Some(Tick(333)), Seat::new(1).unwrap())
    );
    assert_eq!(inputs.inputs, Some([pad(1, 333), vec![99]]));
    assert_eq!(found.worlds.unwrap().stepped, Tick(334));
    // Where the inputs themselves are forgotten, the digests of the checkpoints tell.
    let early = compare_bundles(&good, &bundle(Fault::Input(100)))
        .inputs
        .unwrap();
    assert_eq!((early.tick, early.digests_at), (None, Some(Tick(120))));
    assert_eq!(early.seat, Seat::new(1).unwrap());
}

#[test]
fn bundles_of_two_matches_are_not_compared() {
    let (a, mut b) = (bundle(Fault::None), bundle(Fault::None));
    b.played.seed += 1;
    let found = compare_bundles(&a, &b);
    assert_eq!(found.other_match, Some("the seeds differ"));
    assert_eq!(found.hashes_compared, 0);
}

#[test]
fn the_ring_holds_half_a_minute_and_a_step_again_takes_the_first_ones_place() {
    let mut watch = DesyncWatch::new(played(), "a machine", SeatSet::EMPTY);
    for tick in 0..5_000 {
        watch.stepped(Tick(tick), WorldHash(tick.into()), |part| {
            part("world", WorldHash(tick.into()))
        });
    }
    watch.stepped(Tick(4_990), WorldHash(1), |part| {
        part("world", WorldHash(2))
    });
    let ring = watch.bundle(Tick(4_990), &[], None).ring;
    assert!(ring.len() >= 30 * 60 - 9, "{}", ring.len());
    assert_eq!(
        ring.last().map(|last| (last.stepped, last.hash)),
        Some((Tick(4_990), WorldHash(1)))
    );
}
