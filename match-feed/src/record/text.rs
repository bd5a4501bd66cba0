//! A record's text: one line of JSON whose last field is a digest of everything before it.

use super::{RECORD_BYTES_MAX, RecordError};
use crate::WorldHash;
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
};
use core::fmt::Write as _;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The last field of a record's text: an xxh3-64 of everything before it, as sixteen hexadecimal digits.
const CHECK_FIELD: &str = ",\"check\":\"";
const CHECK_DIGITS: usize = 16;
pub(crate) fn write(record: &impl Serialize) -> String {
    let mut text = serde_json::to_string(record).expect("a record has only plain fields");
    text.pop(); // the closing brace
    let check = digest(&text);
    let _ = writeln!(text, "{CHECK_FIELD}{check}\"}}");
    text
}

/// Reads a record of version `reads`, and refuses a text that was changed.
pub(crate) fn read<R: DeserializeOwned>(text: &str, reads: u32) -> Result<R, RecordError> {
    let (body, stored) = split_check(text)?;
    let computed = digest(body);
    if stored != computed {
        return Err(RecordError::Changed {
            stored: stored.to_owned(),
            computed,
        });
    }
    read_body(body, reads)
}

/// As [`read`], but believes a text that was changed.
pub(crate) fn read_unchecked<R: DeserializeOwned>(
    text: &str,
    reads: u32,
) -> Result<R, RecordError> {
    let (body, _) = split_check(text)?;
    read_body(body, reads)
}

fn read_body<R: DeserializeOwned>(body: &str, reads: u32) -> Result<R, RecordError> {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    let mut json = body.to_owned();
    json.push('}');
    let malformed = |error: serde_json::Error| RecordError::Malformed(error.to_string());
    let found = serde_json::from_str::<Version>(&json).map_err(malformed)?.v;
    if found != reads {
        return Err(RecordError::Version { found, reads });
    }
    serde_json::from_str(&json).map_err(malformed)
}

fn split_check(text: &str) -> Result<(&str, &str), RecordError> {
    if text.len() > RECORD_BYTES_MAX {
        return Err(RecordError::TooLong { bytes: text.len() });
    }
    let unclosed = text
        .trim_end()
        .strip_suffix("\"}")
        .ok_or(RecordError::NoCheck)?;
    let (body, stored) = unclosed
        .rsplit_once(CHECK_FIELD)
        .ok_or(RecordError::NoCheck)?;
    if stored.len() == CHECK_DIGITS {
        Ok((body, stored))
    } else {
        Err(RecordError::NoCheck)
    }
}

fn digest(text: &str) -> String {
    WorldHash::of(text.as_bytes()).to_string()
}
