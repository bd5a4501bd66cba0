//! The corpus of a fuzz target as one file: a plain tar, as any `tar` reads it. Written so that the same inputs are always the
//! same bytes. Knows no folder and no target; `fuzz-oracles/tests/replay.rs` reads archives with this file too.

use std::error::Error;

/// Tar's unit: a header takes one, contents as many as they need.
const BLOCK: usize = 512;
/// The longest name of an input, bytes. Tar's field takes 100; a hash has 40 digits.
const NAME_MAX: usize = 100;
/// The largest input, bytes: 1 MiB, the most that libFuzzer makes by itself.
const INPUT_MAX: usize = 1 << 20;
/// Where a header's fields lie: where from, how many bytes.
const SIZE: (usize, usize) = (124, 12);
const SUM: (usize, usize) = (148, 8);
const KIND: usize = 156;

/// An input: its name and its bytes.
pub type Input = (String, Vec<u8>);

/// The archive that holds `inputs`, in the order of their names.
///
/// # Errors
/// A name that is empty, longer than 100 bytes, with a `/` in it, or there twice; an input over 1 MiB.
pub fn pack(mut inputs: Vec<Input>) -> Result<Vec<u8>, Box<dyn Error>> {
    inputs.sort();
    let mut archive = Vec::new();
    let mut before: Option<&str> = None;
    for (name, bytes) in &inputs {
        check(name, bytes.len())?;
        if before == Some(name) {
            return Err(format!("{name} is there twice").into());
        }
        before = Some(name);
        archive.extend(header(name, bytes.len()));
        archive.extend(bytes);
        archive.resize(archive.len().next_multiple_of(BLOCK), 0);
    }
    archive.resize(archive.len() + 2 * BLOCK, 0);
    Ok(archive)
}

/// The inputs of an archive, in its order.
///
/// # Errors
/// It is cut short, damaged, or holds something besides plain files with names as [`pack`] writes them.
pub fn unpack(archive: &[u8]) -> Result<Vec<Input>, Box<dyn Error>> {
    let (mut inputs, mut rest) = (Vec::new(), archive);
    loop {
        let (header, after) = rest.split_at_checked(BLOCK).ok_or("cut short")?;
        if header.iter().all(|byte| *byte == 0) {
            return Ok(inputs);
        }
        let name = header[..NAME_MAX].split(|byte| *byte == 0).next();
        let name = std::str::from_utf8(name.unwrap_or_default())?.to_owned();
        if octal(header, SUM)? != sum(header) {
            return Err(format!("the header of {name:?} is damaged").into());
        }
        if header[KIND] != b'0' {
            return Err(format!("{name:?} is no plain file").into());
        }
        let size = octal(header, SIZE)?;
        check(&name, size)?;
        let (bytes, after) = after
            .split_at_checked(size.next_multiple_of(BLOCK))
            .ok_or_else(|| format!("{name:?} is cut short"))?;
        inputs.push((name, bytes[..size].to_vec()));
        rest = after;
    }
}

fn check(name: &str, size: usize) -> Result<(), String> {
    if name.is_empty() || name.len() > NAME_MAX || name.contains('/') {
        return Err(format!("{name:?} is no name for an input"));
    }
    if size > INPUT_MAX {
        return Err(format!("{name} has {size} bytes, more than {INPUT_MAX}"));
    }
    Ok(())
}

fn header(name: &str, size: usize) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    let mut put =
        |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, "0000644"); // may be read by all
    put(108, "0000000"); // owner, group: nobody's in particular
    put(116, "0000000");
    put(SIZE.0, &format!("{size:011o}"));
    put(136, "00000000000"); // changed at no time, so that the same inputs are the same bytes
    put(KIND, "0");
    put(257, "ustar");
    put(263, "00");
    let sum = format!("{:06o}\0 ", sum(&header));
    header[SUM.0..SUM.0 + SUM.1].copy_from_slice(sum.as_bytes());
    header
}

/// The sum of a header's bytes, its own field taken for spaces.
fn sum(header: &[u8]) -> usize {
    let own = SUM.0..SUM.0 + SUM.1;
    let byte = |(at, byte): (usize, &u8)| usize::from(if own.contains(&at) { b' ' } else { *byte });
    header.iter().enumerate().map(byte).sum()
}

fn octal(header: &[u8], (at, length): (usize, usize)) -> Result<usize, Box<dyn Error>> {
    let text = std::str::from_utf8(&header[at..at + length])?;
    Ok(usize::from_str_radix(text.trim_matches(['\0', ' ']), 8)?)
}
