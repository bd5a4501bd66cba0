//! Game frames as JSON.

use super::{Failure, GameContext, bounded, command, field, with_bits};
use bitvec::{field::BitField, order::Msb0, slice::BitSlice, vec::BitVec};
use link_transport::RXQ_MAX;
use match_feed::Tick;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use versus_codec::{BitWriter, CommandCodec, TurnContext};
use versus_lockstep::{End, Expect, FrameTurn, GameFrame, SPAN_MAX, TURN_COMMANDS_MAX, TrailMark};

/// Room for the longest frame there can be: 65 turns of 15 commands of 96 bits, and the fields around them.
const ROOM_BITS: usize = 1 << 17;

pub(super) fn decode(bits: &BitSlice<u8, Msb0>, context: GameContext) -> Result<Value, Failure> {
    let to_as_it_stands = bits
        .get(8..24)
        .map_or(0, |to| u32::from(to.load_be::<u16>()));
    let to = context.expect_to.unwrap_or(to_as_it_stands);
    let expect = Expect {
        to,
        tick: Tick(context.tick.unwrap_or(to)),
    };
    let codec = command::codec(context.map);
    let frame = GameFrame::decode(bits, expect, &codec)?;
    let mut turns = Map::new();
    for turn in &frame.turns {
        let mut commands = Vec::new();
        turn.decode(&codec, |command| {
            commands.push(command::to_json(&command, context.names))
        })?;
        turns.insert(turn.turn.to_string(), commands.into());
    }
    let end = match frame.end {
        End::Decided(mark) => mark,
        _ => TrailMark {
            tick: Tick(0),
            trail: 0,
        },
    };
    let object = json!({
        "to": frame.to,
        "frm": frame.from,
        "tick": frame.tick,
        "ack_through": frame.ack_through,
        "turns": turns,
        "paused": frame.paused,
        "end": frame.end.code(),
        "rxq": frame.rxq,
        "checkpoint": frame.checkpoint.map(|mark| json!([mark.tick, mark.trail])),
        "end_tick": end.tick,
        "end_trail": end.trail,
    });
    let Value::Object(object) = object else {
        unreachable!("an object literal")
    };
    let (room, len) = write(&frame)?;
    Ok(with_bits(object, &room[..len]))
}

pub(super) fn encode(object: &Map<String, Value>, context: GameContext) -> Result<Value, Failure> {
    let (to, from) = (field::<u32>(object, "to")?, field::<u32>(object, "frm")?);
    if from > to || to - from > SPAN_MAX {
        return Err(format!(
            "turns {from} to {to}: a frame describes 1 to {} turns",
            SPAN_MAX + 1
        )
        .into());
    }
    let turns = encode_turns(object, from, to, context)?;
    let mut frame = GameFrame {
        paused: field(object, "paused")?,
        end: read_end(object)?,
        rxq: bounded(object, "rxq", RXQ_MAX.into())? as u8,
        from,
        to,
        tick: Tick(field(object, "tick")?),
        ack_through: field(object, "ack_through")?,
        turns: Default::default(),
        checkpoint: read_checkpoint(object)?,
    };
    for (turn, (commands, bits)) in &turns {
        let turn = FrameTurn {
            turn: *turn,
            commands: *commands,
            bits,
        };
        frame
            .turns
            .push(turn)
            .map_err(|_| "more turns than a frame describes")?;
    }
    let (room, len) = write(&frame)?;
    Ok(with_bits(Map::new(), &room[..len]))
}

fn write(frame: &GameFrame<'_>) -> Result<(BitVec<u8, Msb0>, usize), Failure> {
    let mut room = BitVec::<u8, Msb0>::repeat(false, ROOM_BITS);
    let mut out = BitWriter::new(&mut room);
    frame.encode(&mut out)?;
    let len = out.len();
    Ok((room, len))
}

type TurnBits = BTreeMap<u32, (u8, BitVec<u8, Msb0>)>;

fn encode_turns(
    object: &Map<String, Value>,
    from: u32,
    to: u32,
    context: GameContext,
) -> Result<TurnBits, Failure> {
    let codec = command::codec(context.map);
    let mut turns = TurnBits::new();
    let by_turn: BTreeMap<String, Vec<Value>> = if object.contains_key("turns") {
        field(object, "turns")?
    } else {
        BTreeMap::new()
    };
    for (name, commands) in by_turn {
        let turn: u32 = name
            .parse()
            .map_err(|_| format!("turn {name:?} is not a number"))?;
        if turn < from || turn > to {
            return Err(format!("turn {turn} is not among {from} to {to}").into());
        }
        if commands.is_empty() || commands.len() > usize::from(TURN_COMMANDS_MAX) {
            return Err(format!(
                "{} commands in turn {turn}: 1 to {TURN_COMMANDS_MAX}",
                commands.len()
            )
            .into());
        }
        let mut room = BitVec::<u8, Msb0>::repeat(false, ROOM_BITS);
        let mut out = BitWriter::new(&mut room);
        let mut units = TurnContext::default();
        for command in &commands {
            codec.encode(
                &command::from_json(command, context.map)?,
                &mut units,
                &mut out,
            )?;
        }
        let len = out.len();
        room.truncate(len);
        turns.insert(turn, (commands.len() as u8, room));
    }
    Ok(turns)
}

fn read_end(object: &Map<String, Value>) -> Result<End, Failure> {
    Ok(match bounded(object, "end", 3)? {
        0 => End::Playing,
        1 => End::Left,
        2 => End::Desync,
        _ => End::Decided(TrailMark {
            tick: Tick(field(object, "end_tick")?),
            trail: field(object, "end_trail")?,
        }),
    })
}

fn read_checkpoint(object: &Map<String, Value>) -> Result<Option<TrailMark>, Failure> {
    if object.get("checkpoint").is_none_or(Value::is_null) {
        return Ok(None);
    }
    let (tick, trail) = field::<(u32, u16)>(object, "checkpoint")?;
    if !tick.is_multiple_of(versus_lockstep::CHECKPOINT_EVERY) {
        let every = versus_lockstep::CHECKPOINT_EVERY;
        return Err(format!("checkpoint at tick {tick}: one is taken every {every} ticks").into());
    }
    Ok(Some(TrailMark {
        tick: Tick(tick),
        trail,
    }))
}
