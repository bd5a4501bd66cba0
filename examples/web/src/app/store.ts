/** What a phone keeps between visits: the tally of its matches and what the player chose last. Only here is stored. */
import type { MapChoice, ScoreBook } from '../wasm';

const SCORE = 'sound-duel.score';
const WANT = 'sound-duel.want';
const MUTED = 'sound-duel.muted';

/** What a player chose. */
export interface Want {
  role: number;
  plan: number;
  micMode: number;
  map: MapChoice;
  mutators: number;
}

export const emptyBook = (): ScoreBook => ({ wins: 0, losses: 0, draws: 0, abandoned: 0, noContest: 0 });

function load<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : { ...otherwise, ...(JSON.parse(text) as Partial<T>) };
  } catch {
    return otherwise; // private windows refuse storage, and what was stored may be of another time
  }
}

function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Nothing is kept then; the match is played all the same.
  }
}

export const loadBook = (): ScoreBook => {
  const book = load(SCORE, emptyBook());
  for (const [key, value] of Object.entries(book)) {
    if (!Number.isInteger(value) || value < 0) book[key as keyof ScoreBook] = 0;
  }
  return book;
};
export const saveBook = (book: ScoreBook): void => save(SCORE, book);
export const loadWant = (otherwise: Want): Want => load(WANT, otherwise);
export const saveWant = (want: Want): void => save(WANT, want);
export const loadMuted = (): boolean => load(MUTED, { on: false }).on;
export const saveMuted = (on: boolean): void => save(MUTED, { on });
