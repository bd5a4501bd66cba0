/** Structures of the C ABI as plain objects: a field's place and kind, and how it is read and written. No globals. */

/** What a field is: a number, text behind a pointer, a bare pointer, a map's choice, or a row of numbers or bytes. */
export type Scalar = 'u32' | 'i32' | 'f32' | 'f64' | 'u64' | 'i64' | 'ptr';
export type Kind = Scalar | 'text' | 'map' | `u8[${number}]` | `${'u32' | 'i32' | 'f64'}[${number}]`;
export type Fields = Record<string, readonly [offset: number, kind: Kind]>;

/** Which map: see `duel_map`. */
export interface MapChoice {
  random: number;
  index: number;
  seed: number;
}

type Value<K extends Kind> = K extends Scalar
  ? number
  : K extends 'text'
    ? string
    : K extends 'map'
      ? MapChoice
      : K extends `u8[${number}]`
        ? Uint8Array<ArrayBuffer>
        : number[];

export interface Struct<F extends Fields> {
  /** The header's name. */
  readonly name: string;
  readonly bytes: number;
  readonly fields: F;
}

/** A structure's fields as the page sees them. */
export type Of<S> = S extends Struct<infer F>
  ? { -readonly [K in keyof F as K extends 'structSize' | 'reserved' ? never : K]: Value<F[K][1]> }
  : never;

/** Declares a structure of so many bytes. */
export function struct<const F extends Fields>(name: string, bytes: number, fields: F): Struct<F> {
  return { name, bytes, fields };
}

/** Reads a structure; `text` turns a pointer into what it says. */
export function read<F extends Fields>(
  shape: Struct<F>,
  view: DataView<ArrayBuffer>,
  at: number,
  text: (pointer: number) => string,
): Of<Struct<F>> {
  const found: Record<string, unknown> = {};
  for (const name in shape.fields) {
    if (name === 'structSize' || name === 'reserved') continue;
    const [offset, kind] = shape.fields[name]!;
    found[name] = readField(view, at + offset, kind, text);
  }
  return found as Of<Struct<F>>;
}

function readField(view: DataView<ArrayBuffer>, at: number, kind: Kind, text: (pointer: number) => string): unknown {
  switch (kind) {
    case 'u32':
    case 'ptr':
      return view.getUint32(at, true);
    case 'i32':
      return view.getInt32(at, true);
    case 'f32':
      return view.getFloat32(at, true);
    case 'f64':
      return view.getFloat64(at, true);
    case 'u64':
      return Number(view.getBigUint64(at, true));
    case 'i64':
      return Number(view.getBigInt64(at, true));
    case 'text':
      return text(view.getUint32(at, true));
    case 'map':
      return {
        random: view.getInt32(at, true),
        index: view.getUint32(at + 4, true),
        seed: view.getUint32(at + 8, true),
      } satisfies MapChoice;
  }
  const [item, count] = row(kind);
  if (item === 'u8') return new Uint8Array(view.buffer.slice(at, at + count));
  const width = SIZES[item];
  return Array.from({ length: count }, (_, index) => readField(view, at + index * width, item, text));
}

/** Writes what is given over zeros, and its own size first where it has one. */
export function write<F extends Fields>(
  shape: Struct<F>,
  view: DataView<ArrayBuffer>,
  at: number,
  given: Partial<Of<Struct<F>>>,
): void {
  new Uint8Array(view.buffer, at, shape.bytes).fill(0);
  if ('structSize' in shape.fields) view.setUint32(at, shape.bytes, true);
  for (const name in given) {
    const value = (given as Record<string, unknown>)[name];
    const field = shape.fields[name];
    if (field && value !== undefined) writeField(view, at + field[0], field[1], value);
  }
}

function writeField(view: DataView<ArrayBuffer>, at: number, kind: Kind, value: unknown): void {
  switch (kind) {
    case 'u32':
    case 'ptr':
      return view.setUint32(at, value as number, true);
    case 'i32':
      return view.setInt32(at, value as number, true);
    case 'f32':
      return view.setFloat32(at, value as number, true);
    case 'f64':
      return view.setFloat64(at, value as number, true);
    case 'u64':
      return view.setBigUint64(at, BigInt(value as number | bigint), true);
    case 'i64':
      return view.setBigInt64(at, BigInt(value as number | bigint), true);
    case 'map': {
      const map = value as MapChoice;
      view.setInt32(at, map.random, true);
      view.setUint32(at + 4, map.index, true);
      return view.setUint32(at + 8, map.seed, true);
    }
    case 'text':
      return view.setUint32(at, value as number, true);
  }
  const [item, count] = row(kind);
  const values = value as ArrayLike<number>;
  for (let index = 0; index < Math.min(count, values.length); index++) {
    if (item === 'u8') view.setUint8(at + index, values[index]!);
    else writeField(view, at + index * SIZES[item], item, values[index]!);
  }
}

const SIZES = { u32: 4, i32: 4, f64: 8 } as const;

function row(kind: Exclude<Kind, Scalar | 'text' | 'map'>): [item: 'u8' | keyof typeof SIZES, count: number] {
  const bracket = kind.indexOf('[');
  return [kind.slice(0, bracket) as 'u8' | keyof typeof SIZES, Number(kind.slice(bracket + 1, -1))];
}
