/** The full-screen cover of a lost sound link, over whatever is up. */
import { N, type RigStatus } from '../wasm';
import { button, el, say, show, trapFocus } from './dom';

const TITLES: Record<number, string> = {
  [N.RIG_IS_TAP_TO_START]: 'Tap to start sound',
  [N.RIG_IS_LOST]: 'Tap to reconnect the sound link',
  [N.RIG_IS_RECONNECTING]: 'Reconnecting…',
  [N.RIG_IS_RECOVERING]: 'The sound is back: listening…',
};

export class Cover {
  readonly root: HTMLElement;
  private readonly title = el('h2', { 'data-testid': 'cover-title' });
  private readonly reason = el('p', { 'data-testid': 'cover-reason' });
  private readonly error = el('p', { class: 'warn', 'data-testid': 'cover-error' });
  private readonly advice = el('p', { 'data-testid': 'cover-advice' });
  private readonly tap: HTMLButtonElement;
  private readonly leave: HTMLButtonElement;

  constructor(wants: { tap(): void; leave(): void }) {
    this.tap = button('', () => wants.tap(), { id: 'cover-tap', class: 'primary big' });
    this.leave = button('Leave (no result)', () => wants.leave(), { id: 'cover-leave' });
    const card = el('div', { class: 'card dialogue', role: 'alertdialog', 'aria-modal': 'true', 'aria-label': 'Sound link' });
    card.append(this.title, this.reason, this.error, this.advice, el('div', { class: 'stack' }, this.tap, this.leave));
    this.root = el('div', { class: 'backdrop cover', 'data-testid': 'cover', hidden: true }, card);
    trapFocus(this.root);
  }

  update(rig: RigStatus | null, leave: boolean): void {
    const title = rig ? TITLES[rig.state] : undefined;
    if (!rig || title === undefined) {
      show(this.root, false);
      return;
    }
    const opens = this.root.hidden;
    show(this.root, true);
    say(this.title, title);
    const ended = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);
    say(this.reason, rig.state === N.RIG_IS_TAP_TO_START ? '' : ended(rig.lostText));
    say(this.error, ended(rig.errorText));
    say(this.advice, rig.errorText === '' ? '' : rig.adviceText);
    const taps = rig.state === N.RIG_IS_TAP_TO_START || rig.state === N.RIG_IS_LOST;
    show(this.tap, taps);
    say(this.tap, rig.state === N.RIG_IS_TAP_TO_START ? 'Start' : 'Reconnect');
    show(this.leave, leave);
    if (opens && taps) this.tap.focus();
  }
}
