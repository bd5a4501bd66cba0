/** Puts the screen on the page that fits what the app is doing, and keeps it up to date. */
import { N, type Library } from '../wasm';
import { NEW_VERSION } from '../offline';
import type { GameSounds } from '../sound';
import type { App } from '../app/app';
import type { Duel } from '../app/duel';
import { Sheet } from '../lobby/sheet';
import { MatchScreen } from '../match/screen';
import { ReportScreen } from '../report/screen';
import { loadMuted } from '../app/store';
import { Cover } from './cover';
import { button, el, say, show } from './dom';
import { Menu } from './menu';

/** How long a notice stays. */
const NOTICE_MS = 4500;
/** Pages of text need no more than this; the match is drawn every frame. */
const PAGES_EVERY_MS = 80;

export interface ShellWants {
  duel(): void;
  practice(): void;
  mute(muted: boolean): void;
  whyNot(): string | null;
  offline(): boolean;
}

export class Shell {
  match: MatchScreen | null = null;
  private readonly menu: Menu;
  private readonly sheet: Sheet;
  private readonly cover: Cover;
  private report: ReportScreen | null = null;
  private readonly noticeBox = el('div', { class: 'notice', role: 'status', 'aria-live': 'polite', 'data-testid': 'notice', hidden: true });
  private readonly updateBar = el('div', { class: 'update', role: 'status', hidden: true, 'data-testid': 'update' });
  private noticeTimer = 0;
  private shown: HTMLElement | null = null;
  private pagesAt = 0;

  constructor(
    private readonly place: HTMLElement,
    private readonly lib: Library,
    private readonly app: App,
    private readonly sounds: GameSounds,
    private readonly wants: ShellWants,
    note: string | null,
  ) {
    this.menu = new Menu(wants, note, loadMuted());
    this.sheet = new Sheet(app, lib, () => location.reload());
    this.cover = new Cover({ tap: () => app.medium?.tap(), leave: () => this.coverLeave() });
    place.replaceChildren(this.noticeBox, this.updateBar, this.cover.root);
  }

  notice(text: string): void {
    say(this.noticeBox, text);
    show(this.noticeBox, true);
    window.clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => show(this.noticeBox, false), NOTICE_MS);
  }

  /** A new version waits: the player says when. */
  offerUpdate(reload: () => void): void {
    const take = button('Reload', () => {
      // The version before may take half a minute to rest.
      take.disabled = true;
      say(take, 'Reloading…');
      reload();
    }, { id: 'update-now', class: 'small primary' });
    const later = button('Later', () => show(this.updateBar, false), { class: 'small' });
    this.updateBar.replaceChildren(el('span', {}, NEW_VERSION), take, later);
    show(this.updateBar, true);
  }

  private coverLeave(): void {
    const { app } = this;
    if (app.duel?.status.phase === N.PHASE_PLAYING) app.duel.leave(app.now());
    else if (app.duel) app.leaveFor({ to: 'menu' });
    else app.silence();
  }

  /** Every frame. */
  update(draw: boolean): void {
    const { app } = this;
    const now = app.now();
    const { duel } = app;
    const playing = duel !== null && duel.status.phase === N.PHASE_PLAYING && duel.report === null;
    if (playing) {
      this.match ??= new MatchScreen(this.lib, duel, this.sounds, { now: () => app.now(), notice: (text) => this.notice(text) });
      this.put(this.match.root);
      this.match.update(now, draw);
    } else if (this.match) {
      this.match.free();
      this.match = null;
    }
    const wall = performance.now();
    if (!draw || (wall - this.pagesAt < PAGES_EVERY_MS && this.shown !== null)) return;
    this.pagesAt = wall;
    this.updatePages(now, playing);
  }

  private updatePages(now: number, playing: boolean): void {
    const { app } = this;
    const { duel, stage } = app;
    const ways = duel?.ways(now);
    const offersLeave = ways?.leave === true || (duel !== null && !playing) || stage.kind === 'opening' || stage.kind === 'choose';
    this.cover.update(app.medium?.status() ?? null, offersLeave);
    if (playing) return;
    if (duel?.report) {
      if (!this.report) this.playEnd(duel);
      this.report ??= new ReportScreen(this.lib, app, {
        rematch: () => app.leaveFor({ to: 'rematch' }),
        menu: () => app.leaveFor({ to: 'menu' }),
        notice: (text) => this.notice(text),
      });
      this.put(this.report.root);
      this.report.update(duel);
      return;
    }
    this.report = null;
    if (stage.kind === 'menu') {
      this.put(this.menu.root);
      this.menu.update(this.wants.whyNot(), app.book, this.wants.offline());
    } else {
      this.put(this.sheet.root);
      this.sheet.update(now);
    }
  }

  private playEnd(duel: Duel): void {
    if (!duel.report || duel.status.end !== N.END_DECIDED) return;
    const { well } = duel.report.headline;
    this.sounds.play(well === null ? 'draw' : well ? 'win' : 'lose');
  }

  private put(screen: HTMLElement): void {
    if (this.shown === screen) return;
    this.shown?.remove();
    this.shown = screen;
    show(screen, true);
    this.place.prepend(screen);
    show(this.noticeBox, false);
    (this.match?.root === screen ? this.match.noticePlace : this.place).append(this.noticeBox);
    window.scrollTo(0, 0);
  }
}
