/** Writes WAV files of one channel and 32-bit floats. Source: Microsoft's RIFF WAVE. What reads them is in `measurement.ts`. */

const FLOAT = 3;
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
