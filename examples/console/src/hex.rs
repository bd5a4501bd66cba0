//! Bits as text: hexadecimal digits and a length, `c0ffee/24`.

use bitvec::{order::Msb0, vec::BitVec};
use link_transport::SessionKey;

/// Why a text is not what it should be.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum HexError {
    /// A digit that is none.
    #[error("{0:?} is not hexadecimal: expected HEX or HEX/NBITS, such as c0ffee/24")]
    Digits(String),
    /// A length that does not match.
    #[error(
        "{nbits} bits do not fit {digits} hexadecimal digits: {digits} digits hold {most} bits"
    )]
    Length {
        /// The length named.
        nbits: usize,
        /// The digits there are.
        digits: usize,
        /// What they hold.
        most: usize,
    },
    /// Not a length.
    #[error("{0:?} is not a number of bits")]
    Count(String),
    /// Not a pair of nonces.
    #[error("{0:?} is not a pair of nonces from 1 to 65535, such as 4660,48879")]
    Nonces(String),
}

/// Reads `HEX` or `HEX/NBITS`; without a length all digits count.
pub fn parse(text: &str) -> Result<BitVec<u8, Msb0>, HexError> {
    let (digits, nbits) = match text.split_once('/') {
        Some((digits, count)) => (
            digits,
            Some(count.parse().map_err(|_| HexError::Count(count.into()))?),
        ),
        None => (text, None),
    };
    from_parts(digits, nbits)
}

/// Reads digits and a length apart; an odd last digit is the high half of a byte.
pub fn from_parts(digits: &str, nbits: Option<usize>) -> Result<BitVec<u8, Msb0>, HexError> {
    let mut bits = BitVec::<u8, Msb0>::with_capacity(digits.len() * 4);
    for digit in digits.chars() {
        let value = digit
            .to_digit(16)
            .ok_or_else(|| HexError::Digits(digits.into()))?;
        bits.extend((0..4).rev().map(|bit| value >> bit & 1 == 1));
    }
    if digits.is_empty() {
        return Err(HexError::Digits(digits.into()));
    }
    let nbits = nbits.unwrap_or(bits.len());
    if nbits > bits.len() {
        return Err(HexError::Length {
            nbits,
            digits: digits.len(),
            most: bits.len(),
        });
    }
    bits.truncate(nbits);
    Ok(bits)
}

/// Whole bytes as lower-case digits, the last byte filled with zeros.
pub fn text(bits: &bitvec::slice::BitSlice<u8, Msb0>) -> String {
    let byte = |chunk: &bitvec::slice::BitSlice<u8, Msb0>| {
        chunk
            .iter()
            .enumerate()
            .fold(0_u8, |byte, (at, bit)| byte | u8::from(*bit) << (7 - at))
    };
    bits.chunks(8)
        .map(|chunk| format!("{:02x}", byte(chunk)))
        .collect()
}

/// Reads `H,G`.
pub fn session_key(text: &str) -> Result<SessionKey, HexError> {
    let nonce = |part: &str| part.trim().parse::<u16>().ok().filter(|&nonce| nonce != 0);
    let pair = text
        .split_once(',')
        .and_then(|(host, guest)| Some((nonce(host)?, nonce(guest)?)));
    let (host_nonce, guest_nonce) = pair.ok_or_else(|| HexError::Nonces(text.into()))?;
    Ok(SessionKey {
        host_nonce,
        guest_nonce,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_lengths() {
        assert_eq!(text(&parse("c0ffee/22").unwrap()), "c0ffec");
        assert_eq!(parse("abc").unwrap().len(), 12);
        assert_eq!(text(&parse("abc/12").unwrap()), "abc0");
        assert_eq!(
            parse("ab/9"),
            Err(HexError::Length {
                nbits: 9,
                digits: 2,
                most: 8
            })
        );
        assert_eq!(parse("xy"), Err(HexError::Digits("xy".into())));
        assert_eq!(parse(""), Err(HexError::Digits(String::new())));
        assert_eq!(parse("ab/-1"), Err(HexError::Count("-1".into())));
    }

    #[test]
    fn nonces() {
        assert_eq!(
            session_key("4660, 48879").unwrap(),
            SessionKey {
                host_nonce: 4660,
                guest_nonce: 48879
            }
        );
        for bad in ["", "1", "0,1", "1,65536", "a,b"] {
            assert_eq!(session_key(bad), Err(HexError::Nonces(bad.into())));
        }
    }
}
