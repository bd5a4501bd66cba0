//! Hashes in a record's text: sixteen hexadecimal digits each.

use crate::{Tick, WorldHash};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use serde::{Deserialize, Deserializer, Serializer, de::Error};

pub(crate) fn serialize<S: Serializer>(
    hashes: &[(Tick, WorldHash)],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(hashes.iter().map(|(tick, hash)| (tick, hash.to_string())))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<(Tick, WorldHash)>, D::Error> {
    Vec::<(Tick, String)>::deserialize(from)?
        .into_iter()
        .map(|(tick, digits)| Ok((tick, parse(&digits)?)))
        .collect()
}

fn parse<E: Error>(digits: &str) -> Result<WorldHash, E> {
    let plain = digits.len() == 16
        && digits
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    plain
        .then(|| u64::from_str_radix(digits, 16).ok())
        .flatten()
        .map(WorldHash)
        .ok_or_else(|| E::custom("a hash is 16 digits of 0-9a-f"))
}

/// One hash.
pub(crate) mod one {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(hash: &WorldHash, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(hash)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<WorldHash, D::Error> {
        parse(&String::deserialize(from)?)
    }
}
