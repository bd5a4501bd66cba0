/** The first page: what this is, the Duel button or why there is none, and a practice match. */
import type { ScoreBook } from '../wasm';
import { attribute, button, el, say, show } from './dom';

export interface MenuWants {
  duel(): void;
  practice(): void;
  mute(muted: boolean): void;
}

/** Two phones on a table and what passes between them. */
const PICTURE = `<svg viewBox="0 0 320 132" role="img" aria-label="Two phones side by side, with waves of sound between them">
<g class="waves" fill="none" stroke-width="3" stroke-linecap="round">
<path class="blue" d="M124 52q8 14 0 28M136 44q13 22 0 44M148 36q18 30 0 60"/><path class="red" d="M196 52q-8 14 0 28M184 44q-13 22 0 44M172 36q-18 30 0 60"/></g>
<g><rect x="40" y="10" width="68" height="112" rx="11" class="phone"/><rect x="46" y="20" width="56" height="88" rx="4" class="glass"/>
<path d="M54 92l14-16 10 10 16-22v28z" class="land"/><circle cx="62" cy="42" r="7" class="blue-fill"/><rect x="78" y="56" width="12" height="12" rx="2" class="red-fill"/></g>
<g><rect x="212" y="10" width="68" height="112" rx="11" class="phone"/><rect x="218" y="20" width="56" height="88" rx="4" class="glass"/>
<path d="M226 92l16-22 10 14 14-12v20z" class="land"/><circle cx="260" cy="40" r="7" class="red-fill"/><rect x="230" y="54" width="12" height="12" rx="2" class="blue-fill"/></g></svg>`;

export class Menu {
  readonly root: HTMLElement;
  private readonly duel: HTMLButtonElement;
  private readonly reason = el('p', { class: 'hint warn', id: 'duel-reason', 'data-testid': 'duel-reason', hidden: true });
  private readonly score = el('p', { class: 'hint', 'data-testid': 'score' });
  private readonly offline = el('p', { class: 'hint', 'data-testid': 'offline', hidden: true }, '✓ Ready for airplane mode: this page works without a network.');

  /** `note`: what kind of link the button opens, for practice addresses. */
  constructor(wants: MenuWants, note: string | null, muted: boolean) {
    const label = note ? 'Duel a friend (practice)' : '🔊 Duel a friend (sound)';
    this.duel = button(label, () => wants.duel(), { id: 'duel', class: 'primary big' });
    this.duel.setAttribute('aria-describedby', 'duel-reason');
    const practice = button('Practise against the computer', () => wants.practice(), { id: 'practice' });
    const sounds = button('', () => turn(sounds.getAttribute('aria-pressed') !== 'true'), { id: 'mute', class: 'small quiet' });
    const turn = (off: boolean): void => {
      attribute(sounds, 'aria-pressed', String(off));
      say(sounds, off ? 'Game sounds are off' : 'Game sounds are on');
      wants.mute(off);
    };
    turn(muted);
    const picture = el('div', { class: 'picture' });
    picture.innerHTML = PICTURE;
    const title = el('div', { class: 'part' }, picture, el('h1', {}, 'Sound Duel'));
    const lead = el('p', { class: 'lead' }, 'Two phones on a table, one battle. No network, no server: every order travels as sound.');
    const medium = note ? el('p', { class: 'hint', 'data-testid': 'medium' }, note) : null;
    const probe = el('p', { class: 'hint' }, el('a', { href: './probe.html' }, 'Measure this phone (radio probe)'));
    const buttons = el('div', { class: 'part' }, lead, el('div', { class: 'stack' }, this.duel, this.reason, practice), medium, this.score, this.offline, el('p', { class: 'hint' }, sounds), probe);
    this.root = el('main', { class: 'screen menu', 'data-testid': 'menu' }, el('div', { class: 'card hero parts' }, title, buttons));
  }

  /** `whyNot`: why there is no duel here. */
  update(whyNot: string | null, book: ScoreBook, offline: boolean): void {
    this.duel.disabled = whyNot !== null;
    show(this.reason, whyNot !== null);
    say(this.reason, whyNot ?? '');
    say(this.score, scoreLine(book));
    show(this.offline, offline);
  }
}

/** "3 won, 1 lost, 0 drawn", and what had no result. */
export function scoreLine({ wins, losses, draws, abandoned, noContest }: ScoreBook): string {
  const without = abandoned + noContest;
  if (wins + losses + draws + without === 0) return '';
  return `${wins} won, ${losses} lost, ${draws} drawn` + (without > 0 ? `, ${without} without a result` : '');
}

