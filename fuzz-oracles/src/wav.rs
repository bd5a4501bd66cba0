//! Any bytes as a WAV file: however they are cut into pieces the same comes out, and never more than went in.

use wav_file::{Note, Reader, SampleKind, WavError};

type Outcome = Result<(u32, u16, SampleKind, Vec<u32>, Vec<Note>), WavError>;

fn read(file: &[u8], piece: usize) -> Outcome {
    let mut reader = Reader::new();
    let mut samples = Vec::new();
    for piece in file.chunks(piece) {
        reader.push(piece, |format, frames| {
            assert_eq!(frames.len() % usize::from(format.channels), 0);
            samples.extend(frames.iter().map(|x| x.to_bits()));
        })?;
    }
    let format = reader.finish(|_, frames| samples.extend(frames.iter().map(|x| x.to_bits())))?;
    assert_eq!(
        reader.frames() as usize * usize::from(format.channels),
        samples.len()
    );
    assert!(samples.len() * format.bytes <= file.len());
    Ok((
        format.sample_rate_hz,
        format.channels,
        format.kind,
        samples,
        reader.notes().to_vec(),
    ))
}

/// A WAV reader: whole, a byte at a time, and in pieces as long as the first byte says.
///
/// # Panics
/// If the pieces' lengths change what is read, or more samples come out than the bytes can hold.
pub fn wav_file(data: &[u8]) {
    let whole = read(data, data.len().max(1));
    for piece in [1, usize::from(data.first().copied().unwrap_or(1)).max(2)] {
        match (&whole, read(data, piece)) {
            (Ok(whole), Ok(pieces)) => assert!(*whole == pieces, "pieces of {piece}"),
            // How far a reader had come when it gave up depends on the pieces, why it did does not.
            (Err(whole), Err(pieces)) => assert_eq!(
                core::mem::discriminant(whole),
                core::mem::discriminant(&pieces),
                "{whole} / {pieces}"
            ),
            (whole, pieces) => panic!("{:?} / {:?}", whole.as_ref().err(), pieces.err()),
        }
    }
}
