/** WAV files of one channel: written as 32-bit floats, read as those or as integers. Source: Microsoft's RIFF WAVE. */

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
const HEAD_BYTES = 44;

export interface Recording {
  samples: Float32Array<ArrayBuffer>;
  rateHz: number;
}

export function writeWav({ samples, rateHz }: Recording): Blob {
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  const word = (at: number, text: string) => [...text].forEach((letter, index) => head.setUint8(at + index, letter.charCodeAt(0)));
  word(0, 'RIFF');
  head.setUint32(4, HEAD_BYTES - 8 + samples.byteLength, true);
  word(8, 'WAVEfmt ');
  head.setUint32(16, 16, true);
  head.setUint16(20, FLOAT, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, rateHz, true);
  head.setUint32(28, 4 * rateHz, true);
  head.setUint16(32, 4, true);
  head.setUint16(34, 32, true);
  word(36, 'data');
  head.setUint32(40, samples.byteLength, true);
  return new Blob([head, samples], { type: 'audio/wav' });
}

/** The first channel of a file. */
export function readWav(file: ArrayBuffer): Recording {
  const view = new DataView(file);
  const word = (at: number) => String.fromCharCode(...new Uint8Array(file, at, 4));
  if (file.byteLength < HEAD_BYTES || word(0) !== 'RIFF' || word(8) !== 'WAVE') throw new Error('This is no WAV file.');
  let format: { kind: number; channels: number; rateHz: number; bytes: number } | null = null;
  for (let at = 12; at + 8 <= file.byteLength; ) {
    const [name, bytes] = [word(at), view.getUint32(at + 4, true)];
    const body = at + 8;
    if (name === 'fmt ') {
      const kind = view.getUint16(body, true);
      format = {
        kind: kind === EXTENSIBLE ? view.getUint16(body + 24, true) : kind,
        channels: view.getUint16(body + 2, true),
        rateHz: view.getUint32(body + 4, true),
        bytes: view.getUint16(body + 14, true) / 8,
      };
    }
    if (name === 'data' && format) {
      const { kind, channels, rateHz, bytes: width } = format;
      const sample = READERS[`${kind}/${width}`];
      if (!sample || channels === 0) throw new Error(`WAV files of kind ${kind} with ${8 * width} bits cannot be read here.`);
      const step = channels * width;
      const count = Math.floor(Math.min(bytes, file.byteLength - body) / step);
      return { samples: Float32Array.from({ length: count }, (_, index) => sample(view, body + index * step)), rateHz };
    }
    at = body + bytes + (bytes & 1);
  }
  throw new Error('This WAV file holds no sound.');
}

/** By kind and bytes a sample. */
const READERS: Record<string, (view: DataView, at: number) => number> = {
  [`${PCM}/2`]: (view, at) => view.getInt16(at, true) / 0x8000,
  [`${PCM}/3`]: (view, at) => (view.getUint16(at, true) + (view.getInt8(at + 2) << 16)) / 0x80_0000,
  [`${PCM}/4`]: (view, at) => view.getInt32(at, true) / 0x8000_0000,
  [`${FLOAT}/4`]: (view, at) => view.getFloat32(at, true),
};
