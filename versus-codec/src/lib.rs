//! Commands to bits and back: what lockstep needs to know of a game's commands, and the kit to write it with.
//!
//! A game implements [`CommandCodec`]; lockstep knows no command by name. The kit ([`BitWriter`], [`BitReader`],
//! [`kit`]) holds the field types of the specification: unit lists, ids, cells, tiles, enums. [`OpaqueCodec`] is for
//! studios whose commands are their own bytes. This crate knows no frame, no link and no world.
//!
//! ```
//! use bitvec::prelude::*;
//! use versus_codec::*;
//!
//! let codec = OpaqueCodec;
//! let command = OpaqueCommand::from_bytes(&[0xC0, 0xDE], 16).unwrap();
//! let mut bits = bitarr![u8, Msb0; 0; COMMAND_BITS_MAX];
//! let mut out = BitWriter::new(&mut bits);
//! codec.encode(&command, &mut TurnContext::default(), &mut out).unwrap();
//! let written = out.len();
//! let mut input = BitReader::new(&bits[..written]);
//! assert_eq!(codec.decode(&mut TurnContext::default(), &mut input), Ok(command));
//! ```
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod bits;
mod codec;
mod error;
pub mod kit;
mod opaque;

pub use bits::{BitReader, BitWriter, LEADING_ZEROS_MAX, UE_MAX};
pub use codec::{
    COMMAND_BITS_MAX, CommandCodec, NotEncodable, Subjects, TurnContext, encoded_bits,
};
pub use error::{DecodeError, EncodeError};
pub use opaque::{OPAQUE_BITS_MAX, OpaqueCodec, OpaqueCommand};
