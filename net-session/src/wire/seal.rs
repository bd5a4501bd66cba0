//! The 8-byte tag at the end of every message: SipHash-2-4 over sender, receiver and all bytes.

use core::hash::Hasher;
use siphasher::sip::SipHasher24;

/// Bytes of a tag.
pub const TAG_BYTES: usize = 8;

/// What all players of a match share, and nobody else knows: 16 random bytes.
///
/// It comes with the challenge or from the players themselves. Whoever has it can take part in a match, and can end it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret([u8; 16]);

impl Secret {
    /// From 16 bytes that cannot be guessed.
    #[must_use]
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The key of Hello messages: the secret itself.
    pub(crate) fn hello_key(self) -> Key {
        let (low, high) = self.0.split_at(8);
        let word = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0u64, |word, &byte| word << 8 | u64::from(byte))
        };
        Key(word(low), word(high))
    }

    /// The key of all other messages between two members: `low` is the nonce of the member with the lower number.
    pub(crate) fn pair_key(self, low: u64, high: u64) -> Key {
        let half = |label: u8| {
            let mut text = [0; 17];
            text[0] = label;
            text[1..9].copy_from_slice(&low.to_le_bytes());
            text[9..].copy_from_slice(&high.to_le_bytes());
            self.hello_key().hash(&text)
        };
        Key(half(1), half(2))
    }
}

impl core::fmt::Debug for Key {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Key")
    }
}

impl core::fmt::Debug for Secret {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Secret")
    }
}

/// A SipHash key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key(pub(crate) u64, pub(crate) u64);

impl Key {
    /// SipHash-2-4 of `bytes` under this key.
    pub(crate) fn hash(self, bytes: &[u8]) -> u64 {
        SipHasher24::new_with_keys(self.0, self.1).hash(bytes)
    }

    fn tag(self, sender: u8, receiver: u8, body: &[u8]) -> [u8; TAG_BYTES] {
        let mut hasher = SipHasher24::new_with_keys(self.0, self.1);
        hasher.write(&[sender, receiver]);
        hasher.write(body);
        hasher.finish().to_le_bytes()
    }

    /// Writes the tag behind the first `len` bytes of `message`; the length with it, or `None` without room.
    pub(crate) fn seal(
        self,
        sender: u8,
        receiver: u8,
        message: &mut [u8],
        len: usize,
    ) -> Option<usize> {
        let tag = self.tag(sender, receiver, message.get(..len)?);
        message.get_mut(len..len + TAG_BYTES)?.copy_from_slice(&tag);
        Some(len + TAG_BYTES)
    }

    /// The bytes before the tag, if the tag is right.
    pub(crate) fn open(self, sender: u8, receiver: u8, message: &[u8]) -> Option<&[u8]> {
        let (body, tag) = message.split_at(message.len().checked_sub(TAG_BYTES)?);
        let right = self.tag(sender, receiver, body);
        let differ = right.iter().zip(tag).fold(0, |all, (a, b)| all | (a ^ b));
        (differ == 0).then_some(body)
    }
}

/// The receiver that a Hello's tag covers: whoever hears it.
pub(crate) const ANYONE: u8 = 0xFF;

/// A rejoiner's proof for one other member: only who knows `token` can make it.
pub(crate) fn proof(token: [u8; 16], member: u8) -> [u8; 16] {
    let key = Secret(token).hello_key();
    let mut proof = [0; 16];
    for (half, out) in proof.chunks_exact_mut(8).enumerate() {
        out.copy_from_slice(&key.hash(&[half as u8, member]).to_le_bytes());
    }
    proof
}

/// Folds one seat's input of one frame into that seat's digest.
pub(crate) fn fold_input(digest: u64, frame: u32, input: &[u8]) -> u64 {
    let mut hasher = SipHasher24::new_with_keys(digest, u64::from(frame));
    hasher.write(input);
    hasher.finish()
}

/// What two members compare: the state's hash and the digests of all seats' inputs before it.
pub(crate) fn check(frame: u32, hash: u64, digests: &[u64]) -> u64 {
    let mut hasher = SipHasher24::new_with_keys(u64::from(frame), 0);
    hasher.write(&hash.to_le_bytes());
    for digest in digests {
        hasher.write(&digest.to_le_bytes());
    }
    hasher.finish()
}

/// Writes a Hello's tag behind its first `len` bytes: the length with it, or `None` without room. For who writes a member of
/// their own; sessions do it themselves.
#[must_use]
pub fn seal_hello(secret: Secret, sender: u8, message: &mut [u8], len: usize) -> Option<usize> {
    secret.hello_key().seal(sender, ANYONE, message, len)
}

/// Writes the tag of any other message, from member `sender` to `receiver`. `low` and `high` are the nonces of the members
/// with the lower and the higher number.
#[must_use]
pub fn seal_message(
    secret: Secret,
    low: u64,
    high: u64,
    sender: u8,
    receiver: u8,
    message: &mut [u8],
    len: usize,
) -> Option<usize> {
    secret
        .pair_key(low, high)
        .seal(sender, receiver, message, len)
}
