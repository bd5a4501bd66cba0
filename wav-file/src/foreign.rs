//! Files that are not WAV, told by their first bytes.

/// A format that people take for WAV, or that their recorder saves instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Foreign {
    /// MPEG audio, layer 1 to 3.
    Mp3,
    /// AAC without a container.
    Aac,
    /// MP4 and its relatives (M4A, 3GP, MOV): AAC, ALAC or AMR inside.
    Mp4,
    /// Ogg with Opus.
    Opus,
    /// Ogg with Vorbis or anything else.
    Ogg,
    /// WebM or Matroska: what browsers record.
    WebM,
    /// FLAC.
    Flac,
    /// AIFF and AIFF-C.
    Aiff,
    /// Apple's Core Audio Format.
    Caf,
    /// Sun's and NeXT's AU.
    Au,
    /// AMR of telephones.
    Amr,
    /// Windows Media.
    Wma,
    /// A compressed archive.
    Archive,
    /// A page or another text instead of the file.
    Text,
}

/// Bytes from the start that [`Foreign::of`] wants to see, if the file has so many.
pub(crate) const HEAD_BYTES: usize = 64;

impl Foreign {
    /// What these first bytes of a file begin; `None` if it is nothing known.
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Self> {
        let at = |from: usize, word: &[u8]| head.get(from..from + word.len()) == Some(word);
        let second = head.get(1).copied().unwrap_or(0);
        Some(match head.first()? {
            b'I' if at(0, b"ID3") => Self::Mp3,
            // A frame's sync word; layer 0 is AAC's.
            0xFF if second & 0xF6 == 0xF0 => Self::Aac,
            // Layers II and III: what looks like layer I is a byte-order mark.
            0xFF if second & 0xE0 == 0xE0 && matches!(second & 0x06, 2 | 4) => Self::Mp3,
            b'A' if at(0, b"ADIF") => Self::Aac,
            _ if at(4, b"ftyp") => Self::Mp4,
            b'O' if at(0, b"OggS") && at(28, b"OpusHead") => Self::Opus,
            b'O' if at(0, b"OggS") => Self::Ogg,
            0x1A if at(0, &[0x1A, 0x45, 0xDF, 0xA3]) => Self::WebM,
            b'f' if at(0, b"fLaC") => Self::Flac,
            b'F' if at(0, b"FORM") && (at(8, b"AIFF") || at(8, b"AIFC")) => Self::Aiff,
            b'c' if at(0, b"caff") => Self::Caf,
            b'.' if at(0, b".snd") => Self::Au,
            b'#' if at(0, b"#!AMR") => Self::Amr,
            0x30 if at(0, &[0x30, 0x26, 0xB2, 0x75]) => Self::Wma,
            b'P' if at(0, b"PK\x03\x04") => Self::Archive,
            0x1F if at(0, &[0x1F, 0x8B]) => Self::Archive,
            _ if is_text(head) => Self::Text,
            _ => return None,
        })
    }

    /// What it is called, with its article where it needs one.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mp3 => "an MP3",
            Self::Aac => "AAC",
            Self::Mp4 => "an MP4 or M4A (AAC)",
            Self::Opus => "Ogg Opus",
            Self::Ogg => "Ogg (Vorbis)",
            Self::WebM => "WebM (Opus)",
            Self::Flac => "FLAC",
            Self::Aiff => "AIFF",
            Self::Caf => "a CAF (Core Audio)",
            Self::Au => "an AU",
            Self::Amr => "AMR",
            Self::Wma => "Windows Media",
            Self::Archive => "a compressed archive",
            Self::Text => "text",
        }
    }

    /// The command that makes a WAV file of the file at `path`; `None` if none does.
    #[must_use]
    pub fn command(self, path: &str) -> Option<alloc::string::String> {
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        match self {
            Self::Archive | Self::Text => None,
            _ => Some(alloc::format!(
                "ffmpeg -i \"{path}\" -c:a pcm_s16le \"{stem}.wav\""
            )),
        }
    }

    /// True if the format throws sound away: often just what lies above 16 kHz.
    #[must_use]
    pub const fn is_lossy(self) -> bool {
        matches!(
            self,
            Self::Mp3
                | Self::Aac
                | Self::Mp4
                | Self::Opus
                | Self::Ogg
                | Self::WebM
                | Self::Amr
                | Self::Wma
        )
    }
}

fn is_text(head: &[u8]) -> bool {
    let head = head.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(head);
    let printable =
        |byte: &u8| (b' '..0x7F).contains(byte) || b"\t\r\n".contains(byte) || *byte >= 0x80;
    head.len() >= 4 && head.iter().all(printable) && core::str::from_utf8(&head[..4]).is_ok()
}
