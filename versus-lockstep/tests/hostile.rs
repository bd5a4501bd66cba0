//! Whatever arrives, nothing panics, what is refused changes nothing, and both windows stay within their bounds.

mod common;

use bitvec::prelude::*;
use common::{Lab, ToyCodec, ToyCommand, long, state_after, walk};
use link_transport::{FrameBits, LinkTime};
use match_feed::{Outcome, WorldHash};
use proptest::prelude::*;
use versus_codec::BitWriter;
use versus_lockstep::{End, Expect, FrameTurn, GameFrame, Leave, Lockstep, TrailMark};

type Toy = Lockstep<ToyCodec>;

/// A match in some middle state.
fn in_play(ticks: u32, orders: bool) -> Lab {
    let mut lab = Lab::new(3 + (ticks % 6) as u8);
    for tick in 0..ticks {
        if orders && tick % 3 == 0 {
            lab.give(walk(tick));
            lab.give(long(tick));
        }
        lab.tick();
    }
    lab.seal();
    lab
}

/// Plays on alone, whatever the peer's turns now say. Windows and counters keep their bounds.
fn play_on(mut phone: Toy, mut ms: u64) {
    for _ in 0..40 {
        let now = LinkTime::from_ms(ms);
        phone.seal(now);
        phone.poll_frames();
        let status = phone.status(now);
        let delay = status.delay.ticks();
        assert!(
            status.newest_sealed - status.peer_ack <= 2 * delay + 2,
            "{status:?}"
        );
        assert!(
            status.ack_through <= status.tick.0 + 2 * delay + 1,
            "{status:?}"
        );
        assert!((900..=1100).contains(&phone.speed_permille()));
        if phone.orders(status.tick).is_none() {
            break;
        }
        phone.stepped(now, status.tick, WorldHash(ms), None);
        ms += 100;
    }
}

/// Hands `bits` to a copy of a phone. Refused: nothing has changed. Accepted: it can go on.
fn hand(phone: &Toy, now: LinkTime, bits: &BitSlice<u8, Msb0>) -> bool {
    let mut copy = phone.clone();
    match copy.handle_frame(now, bits) {
        Ok(()) => {
            play_on(copy, now.as_ms());
            true
        }
        Err(why) => {
            let why = Some(&why);
            assert_eq!(state_after(&copy, why), state_after(phone, why));
            false
        }
    }
}

fn flipped(bits: &FrameBits, flips: &[usize]) -> BitVec<u8, Msb0> {
    let mut bits = bits.as_bitslice().to_bitvec();
    for flip in flips {
        let at = flip % bits.len();
        let bit = !bits[at];
        bits.set(at, bit);
    }
    bits
}

proptest! {
    #[test]
    fn garbage(ticks in 0_u32..30, mut bytes in prop::collection::vec(any::<u8>(), 0..32), like_a_frame in any::<bool>()) {
        let lab = in_play(ticks, false);
        if like_a_frame && bytes.len() > 3 {
            // A game frame's type, and a newest turn within reach, so that more than the first field is read.
            bytes[0] = bytes[0] & 0x3F | 0x40;
            let to = lab.red.status(lab.now()).newest_sealed as u16;
            bytes[1] = (to >> 8) as u8;
            bytes[2] = to as u8;
        }
        hand(&lab.blue, lab.now(), bytes.view_bits());
    }

    #[test]
    fn a_peers_frame_with_bits_flipped(
        ticks in 0_u32..30,
        flips in prop::collection::vec(0_usize..256, 1..6),
        padding in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let lab = in_play(ticks, true);
        for frame in &lab.red_frames {
            let mut bits = flipped(&frame.bits, &flips);
            bits.extend_from_bitslice(padding.view_bits::<Msb0>());
            hand(&lab.blue, lab.now(), &bits);
        }
        for frame in &lab.blue_frames {
            let bits = flipped(&frame.bits, &flips);
            hand(&lab.red, lab.now(), &bits);
        }
    }

    #[test]
    fn a_forged_frame_of_any_counters(
        ticks in 0_u32..30,
        to in -20_i64..20, span in 0_u32..=20, tick in -20_i64..20, ack in -20_i64..20,
        paused in any::<bool>(), end in 0_u8..4, mark in -60_i64..60, trail in any::<u16>(),
        full_turn in any::<bool>(),
    ) {
        let lab = in_play(ticks, true);
        let red = lab.red.status(lab.now());
        let near = |base: u32, by: i64| u32::try_from((i64::from(base) + by).max(0)).unwrap();
        let to = near(red.newest_sealed, to);
        let mark = TrailMark { tick: match_feed::Tick(near(red.tick.0, mark)), trail };
        let mut commands = bitvec![u8, Msb0; 0; 131];
        let mut out = BitWriter::new(&mut commands);
        for _ in 0..2 {
            let command = ToyCommand::Produce { kind: 1 };
            versus_codec::CommandCodec::encode(&ToyCodec, &command, &mut Default::default(), &mut out).unwrap();
        }
        let len = out.len();
        let turn = FrameTurn { turn: to, commands: 2, bits: &commands[..len] };
        let frame = GameFrame {
            paused,
            end: [End::Playing, End::Left, End::Desync, End::Decided(mark)][usize::from(end)],
            rxq: 7,
            from: to.saturating_sub(span),
            to,
            tick: match_feed::Tick(near(red.tick.0, tick)),
            ack_through: near(red.ack_through, ack),
            turns: full_turn.then_some(turn).into_iter().collect(),
            checkpoint: (trail % 2 == 0).then_some(TrailMark { tick: match_feed::Tick(mark.tick.0 / 50 * 50), trail }),
        };
        let mut bits = bitvec![u8, Msb0; 0; 256];
        let mut out = BitWriter::new(&mut bits);
        frame.encode(&mut out).unwrap();
        let len = out.len();
        hand(&lab.blue, lab.now(), &bits[..len]);
    }

    /// A frame survives being written down and read, whatever its counters.
    #[test]
    fn frames_round_trip(
        to in 64_u32..200_000, span in 0_u32..=64, lag in -300_i64..300, ack in -300_i64..300,
        paused in any::<bool>(), end in 0_u8..4, rxq in 0_u8..8, mark in 0_u32..7, trail in any::<u16>(),
        with_commands in prop::collection::btree_set(0_u32..=64, 0..10), expected in -200_i64..=200,
    ) {
        let near = |by: i64| u32::try_from((i64::from(to) + by).max(0)).unwrap();
        let tick = match_feed::Tick(near(-lag));
        let mut commands = bitvec![u8, Msb0; 0; 100];
        let mut out = BitWriter::new(&mut commands);
        versus_codec::CommandCodec::encode(&ToyCodec, &walk(5), &mut Default::default(), &mut out).unwrap();
        let len = out.len();
        let from = to - span;
        let turn = |at: &u32| FrameTurn { turn: from + at, commands: 1, bits: &commands[..len] };
        let report = TrailMark { tick: match_feed::Tick(near(-lag) + 3), trail };
        let checkpoint = TrailMark { tick: match_feed::Tick((tick.0 / 50).saturating_sub(mark) * 50), trail };
        let frame = GameFrame {
            paused,
            end: [End::Playing, End::Left, End::Desync, End::Decided(report)][usize::from(end)],
            rxq,
            from,
            to,
            tick,
            ack_through: near(ack),
            turns: with_commands.iter().filter(|at| **at <= span).map(turn).collect(),
            checkpoint: (trail % 3 != 0).then_some(checkpoint),
        };
        let mut bits = bitvec![u8, Msb0; 0; 1200];
        let mut out = BitWriter::new(&mut bits);
        frame.encode(&mut out).unwrap();
        let expect = Expect { to: near(expected), tick };
        let decoded = GameFrame::decode(&bits, expect, &ToyCodec);
        prop_assert_eq!(decoded.as_ref(), Ok(&frame));
    }
}

#[derive(Clone, Debug)]
enum Op {
    Seal(bool),
    Step(bool),
    Deliver(bool, usize),
    Garbage(bool, Vec<u8>),
    Give(bool, u32),
    Pause(bool, bool),
    Resign(bool),
    Leave(bool),
    Wait(u64),
    Slot(bool),
    Period(bool, bool),
}

fn op() -> impl Strategy<Value = Op> {
    let who = any::<bool>;
    prop_oneof![
        8 => who().prop_map(Op::Seal),
        8 => who().prop_map(Op::Step),
        10 => (who(), 0_usize..4).prop_map(|(who, age)| Op::Deliver(who, age)),
        2 => (who(), 0_usize..80).prop_map(|(who, age)| Op::Deliver(who, age)),
        1 => (who(), prop::collection::vec(any::<u8>(), 24)).prop_map(|(who, bytes)| Op::Garbage(who, bytes)),
        4 => (who(), 0_u32..500).prop_map(|(who, first)| Op::Give(who, first)),
        1 => (who(), any::<bool>()).prop_map(|(who, paused)| Op::Pause(who, paused)),
        1 => (0_u64..3000).prop_map(Op::Wait),
        2 => who().prop_map(Op::Slot),
        1 => (who(), any::<bool>()).prop_map(|(who, slow)| Op::Period(who, slow)),
        1 => prop_oneof![9 => Just(None), 1 => who().prop_map(Some)].prop_map(|who| who.map_or(Op::Wait(1), Op::Resign)),
        1 => prop_oneof![30 => Just(None), 1 => who().prop_map(Some)].prop_map(|who| who.map_or(Op::Wait(1), Op::Leave)),
    ]
}

/// A world that is nothing but the history of its orders.
fn fold(world: u64, orders: &[match_feed::Order<ToyCommand>]) -> u64 {
    let text = format!("{world} {orders:?}");
    WorldHash::of(text.as_bytes()).0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Any sequence of calls: never a panic, never two histories, and no end that one of them does not know of.
    #[test]
    fn any_sequence_of_operations(delay in 3_u8..=8, ops in prop::collection::vec(op(), 1..400)) {
        let mut lab = Lab::new(delay);
        let mut worlds = [1_u64; 2];
        let mut trails = [vec![], vec![]];
        let mut sent: [Vec<FrameBits>; 2] = Default::default();
        for op in ops {
            let now = lab.now();
            match op {
                Op::Wait(ms) => lab.ms += ms,
                Op::Seal(red) => { pick(&mut lab, red).seal(now); }
                Op::Give(red, first) => {
                    let command = if first % 2 == 0 { walk(first) } else { long(first) };
                    pick(&mut lab, red).give(now, command).unwrap();
                }
                Op::Resign(red) => pick(&mut lab, red).give(now, ToyCommand::Resign).unwrap(),
                Op::Leave(red) => pick(&mut lab, red).leave(Leave::Left),
                Op::Pause(red, paused) => pick(&mut lab, red).set_paused(now, paused),
                Op::Slot(red) => pick(&mut lab, red).handle_slot(link_transport::Slot { at: now, key: Some(1) }),
                Op::Period(red, slow) => pick(&mut lab, red).set_packet_ms(if slow { 200 } else { 100 }),
                Op::Deliver(red, age) => {
                    let from = &sent[usize::from(!red)];
                    if let Some(bits) = from.len().checked_sub(1 + age).map(|at| from[at]) {
                        let accepted = pick(&mut lab, red).handle_frame(now, bits.as_bitslice());
                        prop_assert!(accepted.is_ok(), "{:?}", accepted);
                    }
                }
                Op::Garbage(red, bytes) => { hand(pick(&mut lab, red), now, bytes.view_bits()); }
                Op::Step(red) => {
                    let phone = pick(&mut lab, red);
                    let tick = phone.status(now).tick;
                    if let Some(orders) = phone.orders(tick) {
                        let resigned = orders.iter().any(|order| order.command == ToyCommand::Resign);
                        let world = &mut worlds[usize::from(red)];
                        *world = fold(*world, orders);
                        phone.stepped(now, tick, WorldHash(*world), resigned.then(Outcome::draw));
                        trails[usize::from(red)].push(phone.status(now).trail);
                    }
                }
            }
            for (at, phone) in [&mut lab.blue, &mut lab.red].into_iter().enumerate() {
                if let Some(frames) = phone.poll_frames() {
                    prop_assert!(frames.is_sorted_by(|a, b| a.key < b.key) && !frames.is_empty());
                    sent[at].extend(frames.iter().map(|frame| frame.bits));
                }
            }
            let common = trails[0].len().min(trails[1].len());
            prop_assert_eq!(&trails[0][..common], &trails[1][..common]);
            for phone in [&lab.blue, &lab.red] {
                let verdict = phone.status(lab.now()).verdict;
                let false_desync = matches!(verdict, versus_lockstep::Verdict::Desync { .. });
                prop_assert!(!false_desync, "{:?}", verdict);
            }
        }
    }
}

fn pick(lab: &mut Lab, red: bool) -> &mut Toy {
    if red { &mut lab.red } else { &mut lab.blue }
}
