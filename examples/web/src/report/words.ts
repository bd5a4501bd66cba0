/** The words of a match's end. */
import { N, type SessionStatus } from '../wasm';

export interface Headline {
  /** "Victory", "Signal lost", … */
  title: string;
  /** How it came about. */
  how: string;
  /** Whether both worlds agree, where that is a question. */
  sync: string | null;
  /** It went well for this player, badly, or neither. */
  well: boolean | null;
}

const SYNC_WORDS: Record<number, string> = {
  [N.SYNC_CHECKING]: 'Checking sync…',
  [N.SYNC_IN_SYNC]: 'In sync ✓',
  [N.SYNC_NOT_VERIFIED]: 'Not verified: your friend’s phone has not said the same',
};

type End = Pick<SessionStatus, 'end' | 'winner' | 'resigned' | 'sync' | 'endTick'>;

/** The words for an end as `local` sees it; `lost`: this player left because nothing came through. */
export function headline(end: End, local: number, fallen: readonly boolean[], lost: boolean): Headline {
  const none = (title: string, how: string): Headline => ({ title, how, sync: null, well: null });
  switch (end.end) {
    case N.END_DECIDED:
      return decided(end, local, fallen);
    case N.END_DESYNC:
      return none(
        'Out of sync',
        `The two phones’ worlds differ, found after tick ${end.endTick}. The match counts for nobody.`,
      );
    case N.END_PEER_LEFT:
      return none('Your friend left', 'The match has no result.');
    case N.END_LEFT:
      return lost
        ? none('Signal lost', 'You left because the phones no longer heard each other. The match has no result.')
        : none('You left', 'The match has no result.');
    default:
      return none('The match is over', '');
  }
}

function decided(end: End, local: number, fallen: readonly boolean[]): Headline {
  const well = end.winner === N.NONE ? null : end.winner === local;
  const verdict = well === null ? 'Draw' : well ? 'Victory' : 'Defeat';
  const sync = SYNC_WORDS[end.sync] ?? null;
  if (end.resigned === 1) {
    const who = well === null ? 'Both resigned' : well ? 'Your friend resigned' : 'You resigned';
    return { title: `${who} · ${verdict}`, how: '', sync, well };
  }
  const [own, theirs] = [fallen[local], fallen[1 - local]];
  const how =
    own && theirs
      ? 'Both command centres fell.'
      : own
        ? 'Your command centre fell.'
        : theirs
          ? 'Your friend’s command centre fell.'
          : '';
  return { title: verdict, how, sync, well };
}
