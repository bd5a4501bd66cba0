/** What lies over a match: what it waits for, the pause menu, the question before a resignation, the keys. */
import { N } from '../wasm';
import { button, el, say, show, trapFocus } from '../ui/dom';
import type { PauseMenu } from '../app/duel';
import { HELP } from './keys';

const WAITS: Record<number, string> = {
  [N.OVERLAY_WAITING]: 'Waiting for your friend…',
  [N.OVERLAY_LOADING]: 'Waiting for your friend to load…',
  [N.OVERLAY_PEER_PAUSED]: 'Friend paused',
  [N.OVERLAY_SIGNAL_LOST]: 'Signal lost: bring the phones closer',
};

export interface OverlayWants {
  resume(): void;
  ask(sure: boolean): void;
  resign(): void;
  leave(): void;
  closeHelp(): void;
}

export interface OverlayView {
  overlay: number;
  menu: PauseMenu | null;
  help: boolean;
  leave: boolean;
  resignAndLeave: boolean;
  resigning: boolean;
  delayMs: number;
}

/** A dialogue over the match. */
function dialogue(title: string, testid: string, ...children: HTMLElement[]): HTMLElement {
  const heading = el('h2', {}, title);
  const card = el('div', { class: 'card dialogue', role: 'dialog', 'aria-modal': 'true', 'aria-label': title, 'data-testid': testid });
  card.append(heading, ...children);
  const back = el('div', { class: 'backdrop', hidden: true }, card);
  trapFocus(back);
  return back;
}

export class Overlays {
  readonly roots: HTMLElement[];
  /** What the match waits for: it lies on the map. */
  readonly wait = el('div', { class: 'wait', role: 'status', 'data-testid': 'wait', hidden: true });
  private readonly waitText = el('span');
  private readonly waitLeave: HTMLButtonElement;
  private readonly pause: HTMLElement;
  private readonly sure: HTMLElement;
  private readonly help: HTMLElement;
  private readonly line = el('p', { class: 'hint', 'data-testid': 'pause-line' });
  private readonly buttons: Record<'resume' | 'resign' | 'resignAndLeave' | 'leave', HTMLButtonElement>;
  private before: HTMLElement | null = null;

  constructor(wants: OverlayWants) {
    this.waitLeave = button('Leave (no result)', () => wants.leave(), { testid: 'wait-leave' });
    this.wait.append(this.waitText, this.waitLeave);
    this.buttons = {
      resume: button('Go on', () => wants.resume(), { id: 'resume', class: 'primary' }),
      resign: button('Resign', () => wants.ask(true), { id: 'resign' }),
      resignAndLeave: button('Resign and leave', () => wants.ask(true), { id: 'resign-and-leave' }),
      leave: button('Leave (no result)', () => wants.leave(), { id: 'leave' }),
    };
    this.pause = dialogue('Paused', 'pause-menu', this.line, el('div', { class: 'stack' }, ...Object.values(this.buttons)));
    const yes = button('Yes, resign', () => wants.resign(), { id: 'resign-yes', class: 'danger' });
    const no = button('No, go on', () => wants.ask(false), { id: 'resign-no', class: 'primary' });
    this.sure = dialogue('Resign', 'resign-sure', el('p', {}, 'Your friend wins. Are you sure?'), el('div', { class: 'stack' }, no, yes));
    const keys = el('dl', { class: 'keys' });
    for (const [key, does] of HELP) keys.append(el('dt', {}, key), el('dd', {}, does));
    const close = button('Close', () => wants.closeHelp(), { id: 'help-close', class: 'primary last' });
    this.help = dialogue('How to play', 'help', keys, close);
    this.roots = [this.pause, this.sure, this.help];
  }

  update(view: OverlayView): void {
    const { menu, help } = view;
    const open = help ? this.help : menu?.sure ? this.sure : menu ? this.pause : null;
    const waits = !open ? (WAITS[view.overlay] ?? null) : null;
    show(this.wait, waits !== null);
    if (waits) say(this.waitText, waits);
    this.wait.classList.toggle('lost', view.overlay === N.OVERLAY_SIGNAL_LOST);
    show(this.waitLeave, view.leave);
    say(this.line, `vs your friend · 🔊 ${view.delayMs} ms`);
    show(this.buttons.resign, !view.resigning);
    show(this.buttons.resignAndLeave, view.resignAndLeave);
    show(this.buttons.leave, view.leave);
    this.open(open);
  }

  private open(open: HTMLElement | null): void {
    for (const root of [this.pause, this.sure, this.help]) {
      if (root === open && root.hidden) {
        this.before ??= document.activeElement as HTMLElement | null;
        root.hidden = false;
        root.querySelector<HTMLElement>('.primary')?.focus({ preventScroll: true });
      } else if (root !== open) {
        show(root, false);
      }
    }
    if (!open && this.before) {
      this.before.focus({ preventScroll: true });
      this.before = null;
    }
  }
}
