/** The end of a match: how it ended, whether both phones agree, what is told of it, and where to go from there. */
import { N, type Library } from '../wasm';
import type { App } from '../app/app';
import type { Duel } from '../app/duel';
import { button, el, saveFile, say, show } from '../ui/dom';
import { scoreLine } from '../ui/menu';
import { mapName, matchTime } from '../ui/words';

export interface ReportWants {
  rematch(): void;
  menu(): void;
  notice(text: string): void;
}

const FACTS = ['Link', 'Waiting on the link', 'Order delay', 'Slowest order', 'Played as', 'Tally'] as const;

export class ReportScreen {
  readonly root: HTMLElement;
  private readonly title = el('h1', { 'data-testid': 'end-title' });
  private readonly how = el('p', { 'data-testid': 'end-how' });
  private readonly line = el('p', { class: 'hint', 'data-testid': 'end-line' });
  private readonly sync = el('p', { class: 'sync', role: 'status', 'data-testid': 'sync' });
  private readonly facts = new Map<string, { row: HTMLElement; value: HTMLElement }>();
  private readonly waits = el('p', { class: 'good', role: 'status', 'data-testid': 'friend-waits' }, 'Your friend is back in the lobby: tap Rematch');
  private readonly bye = el('p', { class: 'step', role: 'status' }, 'Saying goodbye…');
  private readonly actions: HTMLElement;
  private readonly debug: HTMLButtonElement;
  private focused = false;

  constructor(
    private readonly lib: Library,
    private readonly app: App,
    wants: ReportWants,
  ) {
    this.debug = button('Copy debug info', () => void this.copy(wants), { id: 'copy-debug' });
    const rematch = button('Rematch', () => wants.rematch(), { id: 'rematch', class: 'primary big' });
    const save = button('Save battle', () => this.save(), { id: 'save' });
    const menu = button('Menu', () => wants.menu(), { id: 'to-menu' });
    this.actions = el('div', { class: 'stack' }, rematch, el('div', { class: 'pair' }, save, this.debug, menu));
    const list = el('dl', { class: 'facts', 'aria-label': 'Sound duel' });
    for (const name of FACTS) {
      const value = el('dd', { 'data-testid': `fact-${name.toLowerCase().replaceAll(' ', '-')}` });
      const row = el('div', {}, el('dt', {}, name), value);
      this.facts.set(name, { row, value });
      list.append(row);
    }
    const end = el('div', { class: 'part' }, this.title, this.how, this.line, this.sync, this.waits, this.bye, this.actions);
    const facts = el('div', { class: 'part' }, el('h2', {}, 'Sound duel'), list);
    const card = el('div', { class: 'card report-card parts' }, end, facts);
    this.root = el('main', { class: 'screen report', 'data-testid': 'report' }, card);
  }

  update(duel: Duel): void {
    const { report, status, agreed } = duel;
    if (!report) return;
    const { title, how, sync, well } = report.headline;
    say(this.title, title);
    this.title.dataset.well = String(well);
    say(this.how, how);
    show(this.how, how !== '');
    const map = agreed ? mapName(this.lib, agreed.map) : '';
    say(this.line, `vs your friend · ${map} · ${matchTime(status.tick)} · ${this.app.medium?.note ?? 'over sound'}`);
    say(this.sync, sync ?? '');
    show(this.sync, sync !== null);
    this.sync.dataset.sync = String(status.sync);
    this.fillFacts(duel);
    show(this.debug, report.debug !== null);
    show(this.waits, status.peerInLobby === 1 && !duel.going);
    show(this.bye, duel.going !== null);
    show(this.actions, duel.going === null);
    if (!this.focused) {
      this.focused = true;
      this.actions.querySelector<HTMLElement>('.primary')?.focus({ preventScroll: true });
    }
  }

  private fillFacts(duel: Duel): void {
    const { status, linkStatus, agreed, snrDb } = duel;
    const packets = linkStatus.rxGood + linkStatus.rxBad;
    const percent = ((100 * linkStatus.rxGood) / Math.max(1, packets)).toFixed(1);
    const level = snrDb === null ? '' : `, ${Math.round(snrDb)} dB`;
    const role = agreed?.role === N.ROLE_HOST ? 'host' : 'guest';
    const side = agreed?.localSide === N.SIDE_RED ? 'red' : 'blue';
    const tally = this.app.medium?.real ? scoreLine(this.app.book) : 'practice matches do not count';
    const values: Record<(typeof FACTS)[number], string> = {
      Link: `${linkStatus.rxGood} good packets, ${linkStatus.rxBad} bad (${percent} %${level})`,
      'Waiting on the link': `${(status.stallByLinkMs / 1000).toFixed(1)} s`,
      'Order delay': Number.isNaN(status.orderDelayTicks) ? '–' : `${(status.orderDelayTicks / 10).toFixed(1)} s`,
      'Slowest order': `${(status.orderDelayMaxTicks / 10).toFixed(1)} s`,
      'Played as': `${side}, ${role}`,
      Tally: tally,
    };
    for (const [name, { row, value }] of this.facts) {
      say(value, values[name as (typeof FACTS)[number]]);
      show(row, value.textContent !== '');
    }
  }

  /** Downloads the record: one line of JSON that `sound-duel replay` reads. */
  private save(): void {
    const { duel } = this.app;
    const record = duel?.report?.record;
    if (!duel || !record) return;
    const role = duel.want.role === N.ROLE_HOST ? 'host' : 'guest';
    saveFile(`sound-duel-${role}.json`, new Blob([record], { type: 'application/json' }));
  }

  private async copy(wants: ReportWants): Promise<void> {
    const debug = this.app.duel?.report?.debug ?? '';
    try {
      await navigator.clipboard.writeText(debug);
      wants.notice('Debug info copied.');
    } catch {
      // No clipboard without its permission: hand it over as a file.
      saveFile('sound-duel-debug.json', new Blob([debug], { type: 'application/json' }));
      wants.notice('Debug info saved as a file.');
    }
  }
}
