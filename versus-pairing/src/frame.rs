//! The lobby frame: a phone's whole pairing state in one packet. Knows its bits, nothing of what follows from them.

use bitvec::{array::BitArray, order::Msb0, slice::BitSlice};
use link_transport::{FRAME_BITS_MAX, FrameBits, Nonce, Plan, RXQ_MAX, Role, SessionKey, hash32};
use match_feed::duel::{InputDelay, MapChoice, Side};
use versus_codec::{BitReader, BitWriter, DecodeError, EncodeError};

/// A side's opener by index, or none: what one phone picks before the match.
pub type Opener = Option<u8>;

/// The version of this layout and of the rules around it: what lets the lobby say which phone is older.
pub const PROTO: u8 = 1;
/// The first two bits of a lobby frame.
pub const LOBBY_TYPE: u64 = 0b10;
/// The longest lobby frame: a host's with a random map and GO.
pub const LOBBY_BITS_MAX: usize = 157;
/// Built-in maps that the wire can name.
pub const BUILT_IN_MAPS_MAX: u8 = 6;
/// Biomes of random maps that the wire can name.
pub const BIOMES_MAX: u8 = 5;
/// `hold` at and above which it means "too old, or no ping heard".
pub const HOLD_NONE: u8 = 127;

/// On the wire a map of 8 or more is a random one of biome `map − 8`, and its seed follows.
pub const WIRE_FIRST_RANDOM: u64 = 8;
/// On the wire, "no opener".
pub const WIRE_NO_OPENER: u64 = 3;

/// What the host proposes to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LobbyConfig {
    /// The map.
    pub map: MapChoice,
    /// The mutators, as in a match's setup.
    pub mutators: u16,
    /// The input delay the host measured to be needed.
    pub delay: InputDelay,
    /// The side the host plays.
    pub host_side: Side,
    /// The match starts in fast mode.
    pub fast: bool,
}

impl LobbyConfig {
    /// The digest by which two phones know that they mean the same match; never 0. Source: the format decisions,
    /// row `confHash`.
    #[must_use]
    pub fn hash(&self, plan: Plan, key: SessionKey) -> u16 {
        let (map, seed) = map_words(self.map);
        let plan = match plan {
            Plan::High => 0,
            Plan::Low => 1,
        };
        let words = [
            map,
            seed,
            self.mutators.into(),
            self.delay.ticks(),
            self.host_side.index() as u32,
            self.fast.into(),
            plan,
            key.host_nonce.into(),
            key.guest_nonce.into(),
        ];
        match hash32(&words) as u16 {
            0 => 1,
            hash => hash,
        }
    }
}

/// A map as its wire number and its seed, which is 0 for a built-in one.
const fn map_words(map: MapChoice) -> (u32, u32) {
    match map {
        MapChoice::BuiltIn(index) => (index as u32, 0),
        MapChoice::Random { biome, seed } => (WIRE_FIRST_RANDOM as u32 + biome as u32, seed),
    }
}

/// What a frame says of its sender before anything that another version may lay out differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LobbyHead {
    /// Who sends it.
    pub role: Role,
    /// Its [`PROTO`].
    pub proto: u8,
    /// Its build.
    pub build: u16,
}

impl LobbyHead {
    /// Reads the head alone, whatever follows.
    ///
    /// # Errors
    /// Not a lobby frame, or cut short.
    pub fn decode(bits: &BitSlice<u8, Msb0>) -> Result<Self, LobbyFrameError> {
        Self::read(&mut BitReader::new(bits))
    }

    fn read(input: &mut BitReader<'_>) -> Result<Self, LobbyFrameError> {
        let found = input.bits(2)?;
        if found != LOBBY_TYPE {
            return Err(LobbyFrameError::NotLobby { found: found as u8 });
        }
        Ok(Self {
            role: if input.flag()? {
                Role::Guest
            } else {
                Role::Host
            },
            proto: input.bits(4)? as u8,
            build: input.bits(16)? as u16,
        })
    }
}

/// One lobby frame. Decoding yields legal values only; what they mean is the pairing's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LobbyFrame {
    /// Who sends it, and which version it runs.
    pub head: LobbyHead,
    /// The sender's draw; 0: it gave up on the phone named by `heard`.
    pub nonce: Nonce,
    /// The nonce it hears; 0 for none.
    pub heard: Nonce,
    /// Its receive quality of the peer, 0…[`RXQ_MAX`].
    pub rxq: u8,
    /// The sender's clock at the start of this packet, 10 ms units modulo 256.
    pub ping: u8,
    /// The newest ping it heard.
    pub echo: u8,
    /// 10 ms units from hearing that ping to the start of this packet; [`HOLD_NONE`]: too old, or none heard.
    pub hold: u8,
    /// What the host proposes. Never present in a guest's frame.
    pub config: Option<LobbyConfig>,
    /// The digest of (config, plan, both nonces) as the sender holds them; 0 for none yet.
    pub conf_hash: u16,
    /// The opener it chose, or would; `None` for no opener.
    pub pick: Opener,
    /// Its pick is final.
    pub picked: bool,
    /// GO, with the peer's pick as the sender holds it.
    pub go: Option<Opener>,
}

/// Why bits are no lobby frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LobbyFrameError {
    /// Another kind of frame, or an empty packet.
    #[error("frame type {found:02b} is not a lobby frame's 10")]
    NotLobby {
        /// The two type bits.
        found: u8,
    },
    /// The bits end within a field.
    #[error(transparent)]
    CutShort(#[from] DecodeError),
    /// A map number that stands for no map.
    #[error("map {map}: built-in maps are 0 to 5, biomes 8 to 12")]
    Map {
        /// The number.
        map: u8,
    },
    /// A delay that is none.
    #[error("delay {ticks} ticks: 3 to 8 are possible")]
    Delay {
        /// The delay.
        ticks: u8,
    },
    /// Only the host proposes.
    #[error("a guest's frame with a config")]
    GuestConfig,
}

impl LobbyFrame {
    /// Reads a frame from the start of a packet; whatever follows it is padding and ignored.
    ///
    /// # Errors
    /// Bits that are no legal lobby frame.
    pub fn decode(bits: &BitSlice<u8, Msb0>) -> Result<Self, LobbyFrameError> {
        let input = &mut BitReader::new(bits);
        let head = LobbyHead::read(input)?;
        let mut frame = Self {
            head,
            nonce: input.bits(16)? as u16,
            heard: input.bits(16)? as u16,
            rxq: input.bits(3)? as u8,
            ping: input.bits(8)? as u8,
            echo: input.bits(8)? as u8,
            hold: input.bits(7)? as u8,
            config: None,
            conf_hash: 0,
            pick: None,
            picked: false,
            go: None,
        };
        if input.flag()? {
            if head.role == Role::Guest {
                return Err(LobbyFrameError::GuestConfig);
            }
            frame.config = Some(read_config(input)?);
        }
        frame.conf_hash = input.bits(16)? as u16;
        frame.pick = read_opener(input)?;
        frame.picked = input.flag()?;
        if input.flag()? {
            frame.go = Some(read_opener(input)?);
        }
        Ok(frame)
    }

    /// The frame's bits: at most [`LOBBY_BITS_MAX`].
    ///
    /// # Panics
    /// If a field holds a value that does not fit it: those are this phone's own, never a peer's.
    #[must_use]
    pub fn encode(&self) -> FrameBits {
        let mut bits = BitArray::<[u8; FRAME_BITS_MAX / 8], Msb0>::ZERO;
        let mut out = BitWriter::new(&mut bits);
        self.write(&mut out)
            .expect("a lobby frame is at most 157 bits");
        let len = out.len();
        debug_assert!(len <= LOBBY_BITS_MAX);
        FrameBits::from_bitslice(&bits[..len]).expect("a lobby frame is at most 157 bits")
    }

    fn write(&self, out: &mut BitWriter<'_>) -> Result<(), EncodeError> {
        assert!(
            self.rxq <= RXQ_MAX && self.hold <= HOLD_NONE && self.head.proto < 16,
            "{self:?}"
        );
        assert!(
            self.config.is_none() || self.head.role == Role::Host,
            "only the host proposes"
        );
        out.bits(LOBBY_TYPE, 2)?;
        out.flag(self.head.role == Role::Guest)?;
        out.bits(self.head.proto.into(), 4)?;
        out.bits(self.head.build.into(), 16)?;
        out.bits(self.nonce.into(), 16)?;
        out.bits(self.heard.into(), 16)?;
        out.bits(self.rxq.into(), 3)?;
        out.bits(self.ping.into(), 8)?;
        out.bits(self.echo.into(), 8)?;
        out.bits(self.hold.into(), 7)?;
        out.flag(self.config.is_some())?;
        if let Some(config) = &self.config {
            write_config(config, out)?;
        }
        out.bits(self.conf_hash.into(), 16)?;
        write_opener(self.pick, out)?;
        out.flag(self.picked)?;
        out.flag(self.go.is_some())?;
        self.go.map_or(Ok(()), |theirs| write_opener(theirs, out))
    }
}

fn read_config(input: &mut BitReader<'_>) -> Result<LobbyConfig, LobbyFrameError> {
    let map = input.bits(4)?;
    let map = match map {
        0..6 => MapChoice::BuiltIn(map as u8),
        8..13 => MapChoice::Random {
            biome: (map - WIRE_FIRST_RANDOM) as u8,
            seed: input.bits(32)? as u32,
        },
        _ => return Err(LobbyFrameError::Map { map: map as u8 }),
    };
    let mutators = input.bits(12)? as u16;
    let ticks = 3 + input.bits(3)? as u8;
    Ok(LobbyConfig {
        map,
        mutators,
        delay: InputDelay::new(ticks).ok_or(LobbyFrameError::Delay { ticks })?,
        host_side: if input.flag()? { Side::Red } else { Side::Blue },
        fast: input.flag()?,
    })
}

fn write_config(config: &LobbyConfig, out: &mut BitWriter<'_>) -> Result<(), EncodeError> {
    let (map, seed) = map_words(config.map);
    out.bits(map.into(), 4)?;
    if matches!(config.map, MapChoice::Random { .. }) {
        out.bits(seed.into(), 32)?;
    }
    out.bits(config.mutators.into(), 12)?;
    out.bits(u64::from(config.delay.ticks()) - 3, 3)?;
    out.flag(config.host_side == Side::Red)?;
    out.flag(config.fast)
}

fn read_opener(input: &mut BitReader<'_>) -> Result<Opener, DecodeError> {
    let index = input.bits(2)?;
    Ok((index != WIRE_NO_OPENER).then_some(index as u8))
}

fn write_opener(opener: Opener, out: &mut BitWriter<'_>) -> Result<(), EncodeError> {
    out.bits(opener.map_or(WIRE_NO_OPENER, u64::from), 2)
}
