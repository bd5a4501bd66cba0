//! Headers as recorders write them: every one holds the same sound.

use wav_file::{Encoding, Foreign, Format, Note, Reader, WavError, encode, head};

const RATE_HZ: u32 = 48_000;
const FRAMES: usize = 3000;

fn sound() -> Vec<f32> {
    let sample = |i: usize| (i as f32 * 0.131).sin() * 0.4;
    (0..FRAMES).map(sample).collect()
}

struct Read {
    format: Format,
    samples: Vec<f32>,
    notes: Vec<Note>,
}

fn read_in(file: &[u8], piece: usize) -> Result<Read, WavError> {
    let mut reader = Reader::new();
    let mut samples = Vec::new();
    for piece in file.chunks(piece) {
        reader.push(piece, |_, frames| samples.extend_from_slice(frames))?;
    }
    let format = reader.finish(|_, frames| samples.extend_from_slice(frames))?;
    let notes = reader.notes().to_vec();
    assert_eq!(
        reader.frames() as usize * usize::from(format.channels),
        samples.len()
    );
    Ok(Read {
        format,
        samples,
        notes,
    })
}

/// The same in pieces of every kind of length.
fn read(file: &[u8]) -> Result<Read, WavError> {
    let whole = read_in(file, file.len().max(1));
    for piece in [1, 7, 4096] {
        let pieces = read_in(file, piece);
        match (&whole, &pieces) {
            (Ok(whole), Ok(pieces)) => {
                assert_eq!(whole.format, pieces.format);
                assert!(whole.samples == pieces.samples, "pieces of {piece}");
                assert_eq!(whole.notes, pieces.notes, "pieces of {piece}");
            }
            (Err(whole), Err(pieces)) => assert_eq!(
                core::mem::discriminant(whole),
                core::mem::discriminant(pieces),
                "{whole} {pieces}"
            ),
            (whole, pieces) => panic!(
                "pieces of {piece}: {:?} {:?}",
                whole.as_ref().err(),
                pieces.as_ref().err()
            ),
        }
    }
    whole
}

fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    chunk_of(name, body, body.len() as u32)
}

fn chunk_of(name: &[u8; 4], body: &[u8], size: u32) -> Vec<u8> {
    let padding = vec![0; body.len() % 2];
    [&name[..], &size.to_le_bytes(), body, &padding].concat()
}

fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
    let body = chunks.concat();
    [
        b"RIFF",
        &(body.len() as u32 + 4).to_le_bytes()[..],
        b"WAVE",
        &body,
    ]
    .concat()
}

struct Fmt {
    tag: u16,
    channels: u16,
    bits: u16,
    block: u16,
    byte_rate: u32,
    extension: Vec<u8>,
}

impl Fmt {
    fn new(tag: u16, bits: u16) -> Self {
        Self::of(tag, bits, bits.div_ceil(8))
    }

    fn of(tag: u16, bits: u16, block: u16) -> Self {
        Self {
            tag,
            channels: 1,
            bits,
            block,
            byte_rate: RATE_HZ * u32::from(block),
            extension: Vec::new(),
        }
    }

    fn with(mut self, extension: &[u8]) -> Self {
        self.extension = extension.into();
        self
    }

    fn chunk(&self) -> Vec<u8> {
        let mut body = Vec::new();
        body.extend(self.tag.to_le_bytes());
        body.extend(self.channels.to_le_bytes());
        body.extend(RATE_HZ.to_le_bytes());
        body.extend(self.byte_rate.to_le_bytes());
        body.extend(self.block.to_le_bytes());
        body.extend(self.bits.to_le_bytes());
        body.extend(&self.extension);
        chunk(b"fmt ", &body)
    }
}

fn guid(tag: u16, valid: u16, own_size: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(own_size.to_le_bytes());
    bytes.extend(valid.to_le_bytes());
    bytes.extend(4_u32.to_le_bytes());
    bytes.extend(tag.to_le_bytes());
    bytes.extend([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]);
    bytes
}

fn integers(bits: u32, bytes: usize) -> Vec<u8> {
    let scale = (1_i64 << (bits - 1)) as f64;
    let store = |x: f32| {
        let value = (f64::from(x) * scale) as i64;
        let aligned = value << (8 * bytes as u32 - bits);
        aligned.to_le_bytes()[..bytes].to_vec()
    };
    sound().into_iter().flat_map(store).collect()
}

fn pcm16() -> Vec<u8> {
    integers(16, 2)
}

fn plain() -> Vec<u8> {
    riff(&[Fmt::new(1, 16).chunk(), chunk(b"data", &pcm16())])
}

#[track_caller]
fn holds_the_sound(file: &[u8], within: f32) -> Vec<Note> {
    let read = read(file).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(read.format.sample_rate_hz, RATE_HZ);
    assert_eq!(read.samples.len(), FRAMES);
    for (heard, wanted) in read.samples.iter().zip(sound()) {
        assert!((heard - wanted).abs() <= within, "{heard} {wanted}");
    }
    read.notes
}

#[test]
fn formats_of_every_length_and_width() {
    let floats: Vec<u8> = sound().iter().flat_map(|x| x.to_le_bytes()).collect();
    let doubles: Vec<u8> = sound()
        .iter()
        .flat_map(|x| f64::from(*x).to_le_bytes())
        .collect();
    let bytes: Vec<u8> = sound().iter().map(|x| (x * 128.0 + 128.0) as u8).collect();
    let fine = 1e-4;
    for (fmt, data, within) in [
        (Fmt::new(1, 16), pcm16(), fine),
        (Fmt::new(1, 16).with(&[0, 0]), pcm16(), fine),
        (Fmt::new(1, 16).with(&[2, 0, 9, 9]), pcm16(), fine),
        (Fmt::new(1, 16).with(&[0; 24]), pcm16(), fine),
        (
            Fmt {
                byte_rate: 0,
                ..Fmt::new(1, 16)
            },
            pcm16(),
            fine,
        ),
        (Fmt::of(1, 16, 0), pcm16(), fine),
        (Fmt::of(1, 16, 4), pcm16(), fine),
        (
            Fmt {
                block: 2,
                bits: 0,
                ..Fmt::new(1, 16)
            },
            pcm16(),
            fine,
        ),
        (Fmt::new(1, 8), bytes, 1e-2),
        (Fmt::new(1, 12), integers(12, 2), 1e-3),
        (Fmt::new(1, 20), integers(20, 3), fine),
        (Fmt::new(1, 24), integers(24, 3), fine),
        (Fmt::of(1, 24, 4), integers(24, 4), fine),
        (Fmt::new(1, 32), integers(32, 4), fine),
        (
            Fmt::new(0xFFFE, 32).with(&guid(1, 24, 22)),
            integers(24, 4),
            fine,
        ),
        (Fmt::new(0xFFFE, 16).with(&guid(1, 16, 0)), pcm16(), fine),
        (
            Fmt::new(0xFFFE, 32).with(&guid(3, 32, 22)),
            floats.clone(),
            0.0,
        ),
        (Fmt::new(3, 32), floats.clone(), 0.0),
        (Fmt::new(3, 32).with(&[0; 24]), floats.clone(), 0.0),
        (Fmt::new(3, 64), doubles, 0.0),
    ] {
        let notes = holds_the_sound(&riff(&[fmt.chunk(), chunk(b"data", &data)]), within);
        assert_eq!(notes, [], "{} bits, tag {}", fmt.bits, fmt.tag);
    }
    // An extensible format whose extension is missing: what the samples look like decides.
    for (data, float) in [(floats, true), (integers(32, 4), false)] {
        let file = riff(&[
            Fmt::new(0xFFFE, 32).with(&[0, 0]).chunk(),
            chunk(b"data", &data),
        ]);
        assert_eq!(holds_the_sound(&file, 1e-6), [Note::Guessed { float }]);
    }
}

#[test]
fn sizes_that_say_nothing_or_too_much_mean_to_the_end() {
    let fmt = || Fmt::new(1, 16).chunk();
    for size in [0, 0xFFFF_FFFF] {
        let mut file = riff(&[fmt(), chunk_of(b"data", &pcm16(), size)]);
        assert_eq!(holds_the_sound(&file, 1e-4), [Note::SizeUnknown]);
        file[4..8].fill(0xFF);
        assert_eq!(holds_the_sound(&file, 1e-4), [Note::SizeUnknown]);
    }
    let promised = 7 * pcm16().len() as u32;
    let file = riff(&[fmt(), chunk_of(b"data", &pcm16(), promised)]);
    let short = Note::CutShort {
        promised: promised.into(),
        found: pcm16().len() as u64,
    };
    assert_eq!(holds_the_sound(&file, 1e-4), [short]);

    let mut file = plain();
    file.pop();
    let read = read(&file).unwrap();
    assert_eq!(read.samples.len(), FRAMES - 1);
    assert!(
        matches!(read.notes[..], [Note::CutShort { .. }, Note::PartFrame]),
        "{:?}",
        read.notes
    );
}

#[test]
fn empty_sound_is_empty_with_or_without_chunks_behind() {
    let list = || chunk(b"LIST", b"INFOISFT\x04\0\0\0abcd");
    for file in [
        riff(&[Fmt::new(1, 16).chunk(), chunk(b"data", &[])]),
        riff(&[Fmt::new(1, 16).chunk(), chunk(b"data", &[]), list()]),
    ] {
        let read = read(&file).unwrap();
        assert!(
            read.samples.is_empty() && read.notes.is_empty(),
            "{:?}",
            read.notes
        );
    }
}

#[test]
fn other_chunks_before_and_behind_padded_or_not() {
    let odd = chunk(b"LIST", b"INFOabc");
    let unpadded = odd[..odd.len() - 1].to_vec();
    let bext = chunk(b"bext", &[b'x'; 603]);
    let fact = chunk(b"fact", &7_u32.to_le_bytes());
    for before in [
        vec![odd.clone()],
        vec![unpadded.clone()],
        vec![bext, fact, unpadded, odd],
    ] {
        let mut chunks = before.clone();
        chunks.extend([Fmt::new(1, 16).chunk()]);
        chunks.extend(before);
        chunks.extend([chunk(b"data", &pcm16()), chunk(b"id3 ", b"abc")]);
        assert_eq!(holds_the_sound(&riff(&chunks), 1e-4), []);
    }
    // Sound that the header forgot is told.
    let size = pcm16().len() as u32;
    let longer = [pcm16(), vec![0x91; 500]].concat();
    let file = riff(&[Fmt::new(1, 16).chunk(), chunk_of(b"data", &longer, size)]);
    assert_eq!(holds_the_sound(&file, 1e-4), [Note::Behind { bytes: 500 }]);
}

#[test]
fn other_containers() {
    let size = pcm16().len() as u64;
    for name in [b"RF64", b"BW64"] {
        let ds64 = [0_u64.to_le_bytes(), size.to_le_bytes(), 9_u64.to_le_bytes()].concat();
        let long = chunk(b"ds64", &[&ds64[..], &[0; 4]].concat());
        let rest = [
            Fmt::new(1, 16).chunk(),
            chunk_of(b"data", &pcm16(), u32::MAX),
        ];
        let list = chunk(b"LIST", b"INFO");
        let mut file = riff(&[long, rest.concat(), list]);
        file[..4].copy_from_slice(name);
        file[4..8].fill(0xFF);
        assert_eq!(holds_the_sound(&file, 1e-4), []);
        let mut file = riff(&rest);
        file[..4].copy_from_slice(name);
        assert_eq!(holds_the_sound(&file, 1e-4), [Note::SizeUnknown]);
    }

    let mut swapped = b"RIFX\0\0\0\0WAVEfmt \0\0\0\x10\0\x01\0\x01".to_vec();
    swapped.extend([RATE_HZ.to_be_bytes(), (2 * RATE_HZ).to_be_bytes()].concat());
    swapped.extend(b"\0\x02\0\x10data");
    swapped.extend((size as u32).to_be_bytes());
    swapped.extend(pcm16().chunks(2).flat_map(|pair| [pair[1], pair[0]]));
    assert_eq!(holds_the_sound(&swapped, 1e-4), []);

    let tail = [
        0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
    ];
    let name = |name: &[u8; 4]| [&name[..], &tail].concat();
    let fmt = Fmt::new(1, 16).with(&[0, 0]).chunk();
    let riff_id = [
        b'r', b'i', b'f', b'f', 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 4, 0xC1, 0, 0,
    ];
    let file = [
        riff_id.to_vec(),
        1_u64.to_le_bytes().into(),
        name(b"wave"),
        name(b"fmt "),
        (24 + 18_u64).to_le_bytes().into(),
        fmt[8..].to_vec(),
        vec![0; 6],
        name(b"data"),
        (24 + size).to_le_bytes().into(),
        pcm16(),
    ];
    assert_eq!(holds_the_sound(&file.concat(), 1e-4), []);
}

#[test]
fn foreign_bytes_in_front_are_skipped() {
    for front in [&b"\xEF\xBB\xBF"[..], b"HTTP/1.1 200 OK\r\n\r\n", &[7; 4096]] {
        let notes = holds_the_sound(&[front, &plain()].concat(), 1e-4);
        assert_eq!(notes, [Note::Front { bytes: front.len() }]);
    }
}

#[test]
fn channels_from_one_to_sixty_four_and_more() {
    for channels in [2_u16, 3, 6, 64, 1000] {
        let mut fmt = Fmt::new(1, 16);
        fmt.channels = channels;
        let frames = 5;
        let data: Vec<u8> = (0..frames * channels).flat_map(u16::to_le_bytes).collect();
        let read = read(&riff(&[fmt.chunk(), chunk(b"data", &data)])).unwrap();
        let wanted: Vec<f32> = (0..frames * channels)
            .map(|x| f32::from(x) / 32_768.0)
            .collect();
        assert!(
            read.samples == wanted && read.format.channels == channels,
            "{channels}"
        );
    }
}

#[test]
fn telephone_sound_is_read_and_compressed_sound_is_named() {
    for tag in [6, 7] {
        let read = read(&riff(&[
            Fmt::new(tag, 8).chunk(),
            chunk(b"data", &[0x80, 0xFF, 0x55]),
        ]))
        .unwrap();
        assert_eq!(read.samples.len(), 3);
    }
    for (tag, name) in [
        (2, "ADPCM"),
        (0x11, "ADPCM"),
        (0x55, "MP3"),
        (0x31, "GSM"),
        (0x1234, "unknown"),
    ] {
        let why = read(&riff(&[Fmt::new(tag, 4).chunk(), chunk(b"data", &[1])]))
            .err()
            .unwrap();
        assert!(why.to_string().contains(name), "{why}");
    }
}

#[test]
fn damage_is_named() {
    let error = |file: &[u8]| read(file).err().expect("no sound");
    let mut no_channel = Fmt::new(1, 16);
    no_channel.channels = 0;
    let data = || chunk(b"data", &pcm16());
    assert_eq!(
        error(&riff(&[no_channel.chunk(), data()])),
        WavError::NoChannel
    );
    let mut no_rate = Fmt::new(1, 16).chunk();
    no_rate[12..16].fill(0);
    assert_eq!(error(&riff(&[no_rate, data()])), WavError::NoRate);
    assert_eq!(
        error(&riff(&[data(), Fmt::new(1, 16).chunk()])),
        WavError::NoFormat
    );
    assert_eq!(
        error(&riff(&[Fmt::new(3, 16).chunk(), data()])),
        WavError::Bits {
            bits: 16,
            float: true
        }
    );
    assert_eq!(
        error(&riff(&[Fmt::new(1, 40).chunk(), data()])),
        WavError::Bits {
            bits: 40,
            float: false
        }
    );
    assert_eq!(
        error(&riff(&[chunk(b"fmt ", &[0; 4])])),
        WavError::FormatSize { bytes: 4 }
    );
    assert_eq!(error(b""), WavError::Empty);
    assert!(
        matches!(error(b"RIFF\x10\0\0\0AVI LIST"), WavError::OtherRiff { kind } if kind == "AVI ")
    );
    for cut in [1, 3, 4, 11, 12, 20, 35, 43] {
        assert!(
            matches!(error(&plain()[..cut]), WavError::HeaderCut { .. }),
            "{cut}"
        );
    }
    assert!(matches!(error(&[0; 5000]), WavError::NotWav));
}

#[test]
fn other_formats_are_named_with_what_converts_them() {
    let mut opus = b"OggS".to_vec();
    opus.resize(28, 0);
    let vorbis = [&opus[..], b"\x01vorbis"].concat();
    opus.extend(b"OpusHead");
    for (head, wanted) in [
        (&b"ID3\x03"[..], Foreign::Mp3),
        (&[0xFF, 0xFB, 0x90, 0x64], Foreign::Mp3),
        (&[0xFF, 0xF1, 0x50, 0x80], Foreign::Aac),
        (b"\0\0\0\x20ftypM4A ", Foreign::Mp4),
        (&opus, Foreign::Opus),
        (&vorbis, Foreign::Ogg),
        (&[0x1A, 0x45, 0xDF, 0xA3], Foreign::WebM),
        (b"fLaC\0", Foreign::Flac),
        (b"FORM\0\0\0\0AIFF", Foreign::Aiff),
        (b"FORM\0\0\0\0AIFC", Foreign::Aiff),
        (b"caff\0", Foreign::Caf),
        (b".snd", Foreign::Au),
        (b"#!AMR\n", Foreign::Amr),
    ] {
        let file = [head, &[0x91; 9000]].concat();
        let WavError::Foreign(found) = read(&file).err().expect("no WAV") else {
            panic!("{wanted:?}");
        };
        assert_eq!(found, wanted);
        let command = found.command("take 1.m4a").unwrap();
        assert!(
            command.starts_with("ffmpeg -i \"take 1.m4a\"") && command.ends_with("\"take 1.wav\"")
        );
    }
    assert!(matches!(
        read(b"<!DOCTYPE html>").err(),
        Some(WavError::Foreign(Foreign::Text))
    ));
}

#[test]
fn what_is_written_is_read() {
    for (encoding, within) in [(Encoding::Pcm16, 1.0 / 32_000.0), (Encoding::Float32, 0.0)] {
        let mut file = head(encoding, RATE_HZ, 1, FRAMES as u64);
        let header = file.len();
        encode(encoding, &sound(), &mut file);
        assert_eq!(file.len(), header + FRAMES * encoding.bytes());
        assert_eq!(
            u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize,
            file.len() - 8
        );
        assert_eq!(holds_the_sound(&file, within), []);
    }
    let mut file = Vec::new();
    encode(Encoding::Pcm16, &[f32::NAN, 2.0, -2.0], &mut file);
    assert_eq!(file, [0, 0, 0xFF, 0x7F, 0x01, 0x80]);
}
