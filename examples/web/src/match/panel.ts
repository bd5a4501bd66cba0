/** The bar beside the map: what is selected and what it can do, what can be built, made and called down. */
import { N } from '../wasm';
import { attribute, button, el, mark, say, show } from '../ui/dom';
import type { Field } from './field';
import type { InFlight } from './in-flight';
import { buildingEntries, maker, powerEntries, unitEntries, type Entry, type Rules } from './rules';
import type { Scene } from './scene';
import { icon } from './sprites';

export type Tab = 'build' | 'units' | 'powers';

export type Command =
  | 'army' | 'harvesters' | 'box' | 'wave' | 'move' | 'attack-move' | 'stop' | 'anchor' | 'pack-up' | 'unload'
  | 'clear' | 'rally' | 'sell' | 'give-up' | 'place';

export interface PanelWants {
  command(what: Command): void;
  entry(tab: Tab, kind: number, whyNot: string | null): void;
  /** Take one of a kind out of a queue. */
  takeBack(kind: number): void;
}

interface Cell {
  root: HTMLElement;
  main: HTMLButtonElement;
  note: HTMLElement;
  meter: HTMLElement;
  count: HTMLElement;
  less: HTMLButtonElement;
}

const ICON_PX = 34;
const TABS: readonly (readonly [Tab, string])[] = [
  ['build', 'Build'],
  ['units', 'Units'],
  ['powers', 'Powers'],
];

export class Panel {
  readonly root: HTMLElement;
  tab: Tab = 'build';
  /** The next drag of a finger draws a box. */
  boxArmed = false;
  private readonly about = el('p', { class: 'about', 'aria-live': 'off' });
  private readonly commands = new Map<Command, HTMLButtonElement>();
  private readonly tabs = new Map<Tab, HTMLButtonElement>();
  private readonly lists = new Map<Tab, HTMLElement>();
  private readonly cells = new Map<string, Cell>();
  private entries: Record<Tab, Entry[]> = { build: [], units: [], powers: [] };

  constructor(
    private readonly rules: Rules,
    private readonly scene: Scene,
    private readonly wants: PanelWants,
    private readonly bans: { units: number; buildings: number },
  ) {
    const row = el('div', { class: 'commands', role: 'toolbar', 'aria-label': 'Orders' });
    for (const [command, label, title] of COMMANDS) {
      const made = button(label, () => wants.command(command), { class: 'small', title, testid: `command-${command}` });
      this.commands.set(command, made);
      row.append(made);
    }
    const tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'What can be had' });
    const lists = el('div', { class: 'lists' });
    for (const [tab, label] of TABS) {
      const made = button(label, () => this.open(tab), { class: 'tab', testid: `tab-${tab}` });
      made.setAttribute('role', 'tab');
      made.setAttribute('aria-controls', `list-${tab}`);
      this.tabs.set(tab, made);
      tabs.append(made);
      const list = el('div', { class: 'list', role: 'tabpanel', id: `list-${tab}`, 'aria-label': label });
      this.lists.set(tab, list);
      lists.append(list);
    }
    this.root = el('aside', { class: 'panel', 'aria-label': 'Build and order' }, this.about, row, tabs, lists);
    this.makeCells('build', this.rules.buildings.filter(({ spec }) => spec.cost >= 0), 'building');
    this.makeCells('units', this.rules.units, 'unit');
    this.makeCells('powers', this.rules.powers, 'power');
    this.open('build');
  }

  open(tab: Tab): void {
    this.tab = tab;
    for (const [name, made] of this.tabs) attribute(made, 'aria-selected', String(name === tab));
    for (const [name, list] of this.lists) show(list, name === tab);
  }

  /** The entry at a place of the open list. */
  entryAt(place: number): Entry | null {
    return this.entries[this.tab][place] ?? null;
  }

  private makeCells(tab: Tab, kinds: Rules['units'], what: 'unit' | 'building' | 'power'): void {
    for (const { index, name, spec } of kinds) {
      const [note, meter, count] = [el('span', { class: 'note' }), el('span', { class: 'meter' }), el('span', { class: 'count' })];
      const label = el('span', { class: 'name' }, name);
      const cost = el('span', { class: 'cost' }, String(spec.cost));
      const main = el('button', { type: 'button', class: 'cell', 'data-testid': `${what}-${name}` });
      main.append(icon(what, index, this.scene.side, ICON_PX), label, cost, note, meter, count);
      main.addEventListener('click', () => {
        const entry = this.entries[tab].find(({ kind }) => kind === index);
        this.wants.entry(tab, index, entry?.whyNot ?? null);
      });
      const less = button('−', () => this.wants.takeBack(index), { class: 'less', title: `One ${name} less` });
      less.setAttribute('aria-label', `Take one ${name} back`);
      const root = el('div', { class: 'cell-box' }, main, less);
      this.cells.set(`${tab}-${index}`, { root, main, note, meter, count, less });
      this.lists.get(tab)!.append(root);
    }
  }

  update(field: Field, flight: InFlight): void {
    const { scene, rules } = this;
    const stock = { world: scene.world, own: scene.own, side: scene.side, bans: this.bans, usedPowers: flight.powers };
    this.entries = {
      build: buildingEntries(rules, stock),
      units: unitEntries(rules, stock),
      powers: powerEntries(rules, stock),
    };
    this.updateBuild(flight);
    this.updateUnits(flight);
    for (const entry of this.entries.powers) this.cell('powers', entry, entry.whyNot, 0, 0);
    this.updateCommands(field, flight);
    say(this.about, this.aboutSelection(field));
  }

  private cell(tab: Tab, { kind }: Entry, whyNot: string | null, count: number, progress: number): void {
    const cell = this.cells.get(`${tab}-${kind}`)!;
    attribute(cell.main, 'aria-disabled', whyNot === null ? null : 'true');
    say(cell.note, whyNot ?? '');
    say(cell.count, count > 0 ? `×${count}` : '');
    show(cell.less, tab === 'units' && count > 0);
    cell.meter.style.width = `${Math.round(progress * 100)}%`;
  }

  private updateBuild(flight: InFlight): void {
    const { world, side } = this.scene;
    const [site, done] = [world.site[side]!, world.sitePermille[side]!];
    for (const entry of this.entries.build) {
      const mine = site === entry.kind && !flight.placing;
      const busy = site >= 0 || flight.starting >= 0;
      const waits = flight.starting === entry.kind ? 'ordered' : busy && !mine ? 'one at a time' : null;
      const ready = mine && done >= 1000;
      const note = mine ? (ready ? 'place it' : null) : (entry.whyNot ?? waits);
      entry.whyNot = mine && !ready ? `${Math.floor(done / 10)} % built` : ready ? null : note;
      const cell = this.cells.get(`build-${entry.kind}`)!;
      this.cell('build', entry, entry.whyNot, 0, mine ? done / 1000 : 0);
      mark(cell.main, 'ready', ready);
      if (ready) say(cell.note, 'place it');
    }
  }

  private updateUnits(flight: InFlight): void {
    const { own } = this.scene;
    for (const entry of this.entries.units) {
      const queued = own.reduce((sum, { queue }) => sum + queue.filter((kind) => kind === entry.kind).length, 0);
      const first = own.find(({ queue }) => queue[0] === entry.kind);
      const full = maker(this.rules, own, entry.kind)?.queued === N.QUEUE_MAX;
      entry.whyNot ??= full ? 'queue full' : null;
      this.cell('units', entry, entry.whyNot, Math.max(0, queued + flight.units(entry.kind)), (first?.progressPermille ?? 0) / 1000);
    }
  }

  private updateCommands(field: Field, flight: InFlight): void {
    const units = field.units();
    const has = (kind: number): boolean => units.some((unit) => unit.kind === kind);
    const any = units.length > 0;
    const building = field.building === null ? null : field.ownBuilding(field.building);
    const makes = building !== null && this.rules.units.some(({ spec }) => spec.madeIn === building.kind);
    const { world, side } = this.scene;
    const wave = Math.ceil((world.waveReady[side]! - world.tick) / 10);
    const shown: Record<Command, boolean> = {
      army: true,
      harvesters: true,
      box: true,
      wave: !any && !building,
      move: any,
      'attack-move': any,
      stop: any,
      anchor: has(N.UNIT_ARTILLERY),
      'pack-up': has(N.UNIT_ARTILLERY),
      unload: has(N.UNIT_CONDOR),
      clear: any || building !== null || field.armed !== null,
      rally: makes,
      sell: building !== null,
      'give-up': world.site[side]! >= 0,
      place: world.site[side]! >= 0 && world.sitePermille[side]! >= 1000 && !flight.placing,
    };
    for (const [command, made] of this.commands) show(made, shown[command]);
    const armed = field.armed?.to ?? null;
    for (const command of ['move', 'attack-move', 'unload', 'rally', 'place'] as const) {
      attribute(this.commands.get(command)!, 'aria-pressed', String(armed === command));
    }
    attribute(this.commands.get('box')!, 'aria-pressed', String(this.boxArmed));
    const call = this.commands.get('wave')!;
    say(call, flight.wave ? 'Wave ordered' : wave > 0 ? `Wave in ${wave} s` : `Call wave (${world.waveCost})`);
    attribute(call, 'aria-disabled', wave > 0 || flight.wave ? 'true' : null);
  }

  private aboutSelection(field: Field): string {
    if (field.armed?.to === 'place') return `Tap where the ${this.rules.buildings[field.armed.kind]!.name} goes.`;
    if (field.armed?.to === 'power') return `Tap where the ${this.rules.powers[field.armed.power]!.name} goes.`;
    if (field.armed) return 'Tap where to.';
    const units = field.units();
    if (units.length === 1) {
      const [unit] = units;
      const load = unit!.load > 0 ? `, ${unit!.load} credits of ore` : '';
      return `${this.rules.units[unit!.kind]!.name}, ${unit!.hp} of ${unit!.hpWhole}${load}`;
    }
    if (units.length > 1) {
      const counts = new Map<string, number>();
      for (const { kind } of units) {
        const { name } = this.rules.units[kind]!;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
    }
    const building = field.building === null ? null : field.ownBuilding(field.building);
    if (building) return `${this.rules.buildings[building.kind]!.name}, ${building.hp} of ${building.hpWhole}`;
    return 'Nothing selected: tap a unit, or hold and drag a box.';
  }
}

const COMMANDS: readonly (readonly [Command, string, string])[] = [
  ['place', 'Place', 'Place the finished building'],
  ['army', 'Army', 'Select every fighting unit (e)'],
  ['harvesters', 'Harvesters', 'Select every harvester (h)'],
  ['box', 'Box', 'The next drag selects a box (v)'],
  ['move', 'Move', 'Go there, firing only at what comes into range (m)'],
  ['attack-move', 'Attack', 'Go there and fight whatever is met (a)'],
  ['stop', 'Stop', 'Drop what they do (s)'],
  ['anchor', 'Dig in', 'Artillery: dig in to fire far (n)'],
  ['pack-up', 'Pack up', 'Artillery: get ready to move (u)'],
  ['unload', 'Unload', 'Condors: put down what they carry (d)'],
  ['rally', 'Rally', 'Units made here go there (y)'],
  ['sell', 'Sell', 'Sell this building (X)'],
  ['give-up', 'Give up building', 'Give up the building begun (c)'],
  ['wave', 'Call wave', 'Reinforcements come to the home edge (w)'],
  ['clear', 'Clear', 'Drop the selection (Esc)'],
];
