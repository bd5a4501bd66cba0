/** The match as a player sees and plays it: the map, the line above it, the bar beside it. */
import { N, type Library, type SkirmishEffect } from '../wasm';
import type { GameSounds } from '../sound';
import type { Duel } from '../app/duel';
import { attribute, button, el, mark, prefersStill, say, show } from '../ui/dom';
import { matchTime } from '../ui/words';
import { Camera } from './camera';
import { SIDE_NAMES } from './colours';
import { Effects } from './effects';
import { Field, type Outcome } from './field';
import { Ground } from './ground';
import { InFlight } from './in-flight';
import { keyOf, type Key } from './keys';
import { Minimap } from './minimap';
import { Overlays } from './overlays';
import { describe, Painter } from './painter';
import { Panel, type Command, type Tab } from './panel';
import { listen } from './pointer';
import { maker, Rules } from './rules';
import { Scene, type Place } from './scene';

/** How far from a finger or a pointer something may stand, pixels. */
const REACH_TOUCH_PX = 26;
const REACH_MOUSE_PX = 14;
/** How often the bar is filled in anew. */
const PANEL_EVERY_US = 100_000;

export interface MatchWants {
  now(): number;
  notice(text: string): void;
}

export class MatchScreen {
  readonly root: HTMLElement;
  readonly scene: Scene;
  readonly field: Field;
  readonly camera: Camera;
  private readonly rules: Rules;
  private readonly canvas = el('canvas', { class: 'field', tabindex: 0, role: 'application', 'data-testid': 'field' });
  private readonly ground: Ground;
  private readonly effects: Effects;
  private readonly painter: Painter;
  private readonly minimap: Minimap;
  private readonly panel: Panel;
  private readonly overlays: Overlays;
  private readonly flight = new InFlight();
  private readonly hud: Record<'time' | 'credits' | 'power' | 'delay' | 'note', HTMLElement>;
  /** Where notices lie during a match: on the map, out of the way of the bars. */
  readonly noticePlace = el('div', { class: 'notices' });
  private readonly spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  private readonly resizes: ResizeObserver;
  private help = false;
  private pointer: Place | null = null;
  private box: { from: Place; to: Place } | null = null;
  private panelAt = 0;
  /** The newest tick read from the world. */
  private seen = -1;
  private dead = false;

  constructor(
    lib: Library,
    private readonly duel: Duel,
    private readonly sounds: GameSounds,
    private readonly wants: MatchWants,
  ) {
    const side = duel.agreed!.localSide;
    this.rules = new Rules(lib);
    this.scene = new Scene(duel.session, side);
    this.field = new Field(this.scene, this.rules);
    this.camera = new Camera(this.scene.width, this.scene.height);
    this.ground = new Ground(this.scene);
    this.effects = new Effects(this.scene, (power) => this.rules.powers[power]?.spec.range ?? 0, prefersStill());
    this.painter = new Painter(this.canvas.getContext('2d', { alpha: false })!, this.scene, this.rules, this.ground, this.effects, this.field, this.camera);
    this.minimap = new Minimap(this.scene, this.ground, this.camera, (tile, act) => this.onMinimap(tile, act));
    this.panel = new Panel(this.rules, this.scene, this, duel.session.bans());
    this.overlays = new Overlays({
      resume: () => this.duel.pause(this.wants.now(), false),
      ask: (sure) => this.duel.menu && (this.duel.menu = { ...this.duel.menu, sure }),
      resign: () => this.duel.resign(this.wants.now()),
      leave: () => this.duel.leave(this.wants.now()),
      closeHelp: () => (this.help = false),
    });
    const span = (name: string): HTMLElement => el('span', { class: name, 'data-testid': `hud-${name}` });
    this.hud = { time: span('time'), credits: span('credits'), power: span('power'), delay: span('delay'), note: span('note') };
    this.root = this.build(side);
    this.attachInput();
    this.resizes = new ResizeObserver(() => this.resize());
    this.resizes.observe(this.canvas);
    this.camera.centre(this.scene.home(side));
  }

  private build(side: number): HTMLElement {
    const name = SIDE_NAMES[side as 0 | 1];
    attribute(this.canvas, 'aria-label', `Battlefield, north up. You are ${name}. Arrow keys move a cursor; question mark lists the keys.`);
    const { time, credits, power, delay, note } = this.hud;
    const pause = button('Pause', () => this.onKey('pause'), { id: 'pause', class: 'small' });
    const help = button('?', () => (this.help = true), { id: 'show-help', class: 'small', title: 'How to play' });
    help.setAttribute('aria-label', 'How to play');
    const badge = el('span', { class: `badge ${name}`, 'data-testid': 'hud-side' }, `you are ${name}`);
    const figures = el('div', { class: 'figures' }, time, badge, credits, power, delay, note);
    const hud = el('header', { class: 'hud' }, figures, el('div', { class: 'hud-buttons' }, help, pause));
    const map = el('div', { class: 'map' }, this.canvas, this.minimap.canvas, this.overlays.wait, this.noticePlace);
    const root = el('section', { class: 'screen match', 'data-testid': 'match', 'aria-label': 'Match' }, hud, map, this.panel.root, this.spoken);
    root.append(...this.overlays.roots);
    return root;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const first = this.camera.width === 1;
    // A phone shows about a dozen tiles across, a desk screen thirty.
    if (first) this.camera.tilePx = Math.min(40, Math.max(22, Math.min(width, height) / 16));
    this.camera.resize(width, height);
    if (first) this.camera.centre(this.scene.home(this.scene.side));
  }

  /** Every frame: what is new of the match, and the picture. */
  update(now: number, draw: boolean): void {
    if (this.dead) return;
    const { duel, scene } = this;
    if (duel.status.tick !== this.seen) {
      this.seen = duel.status.tick;
      scene.refresh(duel.session);
      this.ground.refreshFog();
      this.field.follow();
    }
    for (const effect of duel.effects.splice(0)) this.onEffect(effect, now);
    if (!draw) return;
    this.updateHud(now);
    if (now - this.panelAt >= PANEL_EVERY_US || now < this.panelAt) {
      this.panelAt = now;
      this.flight.follow(duel.session);
      this.panel.update(this.field, this.flight);
      this.minimap.draw();
    }
    const ratio = this.canvas.width / Math.max(1, this.camera.width);
    this.canvas.getContext('2d')!.setTransform(ratio, 0, 0, ratio, 0, 0);
    const canPlace = (kind: number, tile: Place): boolean => this.canPlace(kind, tile);
    this.painter.draw({ now, pose: duel.status.posePermille / 1000, pointer: this.pointer, box: this.box, canPlace });
  }

  private canPlace(kind: number, tile: Place): boolean {
    return this.duel.session.canPlace(this.scene.side, kind, tile.x, tile.y);
  }

  private updateHud(now: number): void {
    const { duel, scene } = this;
    const { status } = duel;
    say(this.hud.time, matchTime(status.tick));
    say(this.hud.credits, `${scene.world.credits[scene.side]} credits`);
    const power = scene.world.power[scene.side]!;
    say(this.hud.power, `power ${power > 0 ? '+' : ''}${power}`);
    mark(this.hud.power, 'bad', power < 0);
    const delayMs = 100 * Math.max(0, status.delayTicks);
    say(this.hud.delay, `${delayMs} ms`);
    const note = duel.resigning
      ? 'Resigning…'
      : status.ordersQueued === 1
        ? 'Orders queued'
        : duel.want.ai !== N.AI_NONE
          ? 'an AI plays for you'
          : '';
    say(this.hud.note, note);
    const { leave, resignAndLeave } = duel.ways(now);
    const { overlay } = status;
    this.overlays.update({ overlay, menu: duel.menu, help: this.help, leave, resignAndLeave, resigning: duel.resigning, delayMs });
  }

  private onEffect(effect: SkirmishEffect, now: number): void {
    this.effects.note(effect, now);
    const mine = effect.side === this.scene.side;
    const heard = ((effect.seenBy >> this.scene.side) & 1) === 1;
    if (effect.kind === N.EFFECT_REFUSED && mine && this.duel.want.ai === N.AI_NONE) {
      this.wants.notice(this.rules.refusals[effect.id] ?? 'That order did nothing.');
      this.sounds.play('refused');
    } else if (effect.kind === N.EFFECT_BUILDING_READY && mine && this.duel.want.ai === N.AI_NONE) {
      this.wants.notice(`The ${this.rules.buildings[effect.what]?.name ?? 'building'} is finished: place it.`);
      this.sounds.play('ready');
    } else if (heard) this.playEffect(effect, mine);
  }

  private playEffect({ kind, flag, x, y }: SkirmishEffect, mine: boolean): void {
    const at = this.camera.pixel({ x, y });
    const inView = at.x > -60 && at.y > -60 && at.x < this.camera.width + 60 && at.y < this.camera.height + 60;
    const pan = Math.max(-1, Math.min(1, (2 * at.x) / this.camera.width - 1));
    const gain = inView ? 1 : 0.35;
    switch (kind) {
      case N.EFFECT_SHOT:
        return this.sounds.play(flag === 1 ? 'burst' : 'shot', { pan, gain: 0.6 * gain });
      case N.EFFECT_UNIT_LOST:
      case N.EFFECT_BUILDING_LOST:
        return this.sounds.play('lost', { pan, gain });
      case N.EFFECT_UNIT_MADE:
        return mine ? this.sounds.play('made', { pan, gain }) : undefined;
      case N.EFFECT_BUILDING_PLACED:
        return mine ? this.sounds.play('placed', { pan, gain }) : undefined;
      case N.EFFECT_WAVE:
        return this.sounds.play('wave', { gain });
      case N.EFFECT_POWER:
        return this.sounds.play('power', { gain });
      case N.EFFECT_STRIKE:
        return this.sounds.play('strike', { pan, gain });
    }
  }

  // What the player does.

  private attachInput(): void {
    listen(this.canvas, {
      tap: (at, how) => this.onTap(at, how),
      order: (at) => this.onOrder(at),
      box: (from, to, add) => this.onBox(from, to, add),
      drawing: (box) => (this.box = box),
      hover: (at) => {
        this.pointer = at;
        if (at) this.field.cursorShown = false;
      },
      pan: (dx, dy) => this.camera.pan(dx, dy),
      zoom: (factor, at) => this.camera.zoom(factor, at),
      boxArmed: () => this.panel.boxArmed,
    });
    this.root.addEventListener('keydown', (event) => {
      const onButton = event.target instanceof HTMLButtonElement;
      if (onButton && (event.key === 'Enter' || event.key === ' ')) return;
      const key = keyOf(event);
      if (!key) return;
      event.preventDefault();
      this.onKey(key);
    });
  }

  private reach(touch: boolean): number {
    return ((touch ? REACH_TOUCH_PX : REACH_MOUSE_PX) / this.camera.tilePx) * N.SUBS_PER_TILE;
  }

  private onTap(pixel: Place, { add, touch, twice }: { add: boolean; touch: boolean; twice: boolean }): void {
    const at = this.camera.subsAt(pixel);
    const reach = this.reach(touch);
    if (touch) this.pointer = pixel;
    this.field.cursorShown = false;
    if (this.field.armed) return this.actArmed(at);
    if (twice && this.field.ownAt(at, reach)) {
      const { from, to } = this.camera.shown();
      const shown = ({ x, y }: Place): boolean => {
        const [tx, ty] = [x / N.SUBS_PER_TILE, y / N.SUBS_PER_TILE];
        return tx >= from.x && ty >= from.y && tx <= to.x && ty <= to.y;
      };
      return this.field.selectAlike(at, reach, shown);
    }
    // A finger has one button: a tap beside one's own orders what is selected there.
    const own = this.field.ownAt(at, reach) !== null || this.field.buildingAt(at) !== null;
    const orders = touch && this.field.selected.size > 0 && (!own || this.field.wantsOwn(at, reach));
    if (orders) return this.give(this.field.actByContext(at, reach), at);
    if (this.field.selectAt(at, reach, add)) this.sounds.play('select');
  }

  private onOrder(pixel: Place): void {
    if (this.field.armed) {
      this.field.armed = null;
      return;
    }
    const at = this.camera.subsAt(pixel);
    this.give(this.field.actByContext(at, this.reach(false)), at);
  }

  private onBox(from: Place, to: Place, add: boolean): void {
    this.panel.boxArmed = false;
    this.field.selectBox(this.camera.subsAt(from), this.camera.subsAt(to), add);
    if (this.field.selected.size > 0) this.sounds.play('select');
  }

  private onMinimap(tile: Place, act: boolean): void {
    const at = { x: Math.floor(tile.x * N.SUBS_PER_TILE), y: Math.floor(tile.y * N.SUBS_PER_TILE) };
    if (act || (this.field.armed && this.field.armed.to !== 'place')) {
      if (this.field.armed) this.actArmed(at);
      else this.give(this.field.actByContext(at, this.reach(false)), at);
    } else this.camera.centre(tile);
  }

  private actArmed(at: Place): void {
    const outcome = this.field.actArmed(at, (kind, tile) => this.canPlace(kind, tile));
    if (outcome) this.give(outcome, at);
  }

  /** Gives orders, and shows where to. */
  private give(outcome: Outcome, at: Place | null = null): void {
    if (typeof outcome === 'string') {
      this.wants.notice(outcome);
      this.sounds.play('refused');
      return;
    }
    const now = this.wants.now();
    for (const order of outcome) this.duel.give(now, order);
    this.flight.follow(this.duel.session);
    this.sounds.play('order');
    const attacks = outcome.some(({ kind }) => kind === N.ORDER_ATTACK || kind === N.ORDER_ATTACK_MOVE || kind === N.ORDER_CALLDOWN);
    if (at && outcome.length > 0) this.effects.point(at, attacks, now);
  }

  /** A button of the bar. */
  command(what: Command): void {
    const { field } = this;
    switch (what) {
      case 'army':
        return field.selectArmy();
      case 'harvesters':
        return field.selectHarvesters();
      case 'box':
        this.panel.boxArmed = !this.panel.boxArmed;
        return;
      case 'wave':
        return this.callWave();
      case 'move':
      case 'attack-move':
      case 'rally':
      case 'unload': {
        const why = field.arm({ to: what });
        if (why !== null) this.wants.notice(why);
        return;
      }
      case 'stop':
      case 'anchor':
      case 'pack-up':
      case 'sell':
        return this.give(field.atOnce(what));
      case 'give-up':
        field.armed = null;
        return this.give([{ kind: N.ORDER_CANCEL_BUILDING }]);
      case 'place':
        return this.armPlace();
      case 'clear':
        return field.clear();
    }
  }

  private callWave(): void {
    const { world, side } = this.scene;
    if (this.flight.wave || world.waveReady[side]! > world.tick) this.give('The next wave is not ready.');
    else if (world.credits[side]! < world.waveCost) this.give('A wave is too dear.');
    else this.give([{ kind: N.ORDER_CALL_WAVE }]);
  }

  private armPlace(): void {
    const kind = this.scene.world.site[this.scene.side]!;
    if (kind >= 0) this.field.arm({ to: 'place', kind });
  }

  /** An entry of the build bar. */
  entry(tab: Tab, kind: number, whyNot: string | null): void {
    const { world, side } = this.scene;
    if (whyNot !== null) {
      const table = { build: this.rules.buildings, units: this.rules.units, powers: this.rules.powers }[tab];
      return this.give(`${table[kind]!.name}: ${whyNot}.`);
    }
    if (tab === 'powers') {
      this.field.arm({ to: 'power', power: kind });
    } else if (tab === 'units') {
      const building = maker(this.rules, this.scene.own, kind);
      if (building) this.give([{ kind: N.ORDER_PRODUCE, object: building.id, what: kind }]);
    } else if (world.site[side] === kind && world.sitePermille[side]! >= 1000) {
      this.armPlace();
    } else this.give([{ kind: N.ORDER_START_BUILDING, what: kind }]);
  }

  takeBack(kind: number): void {
    const queued = this.scene.own.find(({ queue }) => queue.includes(kind)) ?? maker(this.rules, this.scene.own, kind);
    if (queued) this.give([{ kind: N.ORDER_CANCEL_PRODUCE, object: queued.id, what: kind }]);
  }

  private onKey(key: Key): void {
    const { field } = this;
    const now = this.wants.now();
    if (this.help) {
      if (key === 'cancel' || key === 'help') this.help = false;
      return;
    }
    if (this.duel.menu) {
      if (key === 'cancel' && this.duel.menu.sure) this.duel.menu = { ...this.duel.menu, sure: false };
      else if (key === 'cancel' || key === 'pause') this.duel.pause(now, false);
      return;
    }
    if (typeof key === 'object') return 'arrow' in key ? this.moveCursor(...key.arrow) : this.pickEntry(key.place);
    const at = { x: (field.cursor.x + 0.5) * N.SUBS_PER_TILE, y: (field.cursor.y + 0.5) * N.SUBS_PER_TILE };
    const reach = 0.9 * N.SUBS_PER_TILE;
    switch (key) {
      case 'select':
      case 'add':
        field.selectAt(at, reach, key === 'add');
        return this.sayCursor();
      case 'box':
        return this.keyBox(at);
      case 'act':
        return field.armed ? this.actArmed(at) : this.give(field.actByContext(at, reach), at);
      case 'next-building': {
        const tile = field.nextBuilding();
        if (tile) this.camera.keep(tile);
        return this.sayCursor();
      }
      case 'build':
      case 'train':
      case 'powers':
        if (key === 'build' && this.scene.world.sitePermille[this.scene.side]! >= 1000) this.armPlace();
        return this.panel.open(key === 'train' ? 'units' : key);
      case 'zoom-in':
      case 'zoom-out':
        return this.camera.zoom(key === 'zoom-in' ? 1.25 : 0.8, this.camera.pixelOfTile(field.cursor));
      case 'home':
        field.cursor = this.scene.home(this.scene.side);
        return this.camera.centre(field.cursor);
      case 'pause':
        return this.duel.pause(now, true);
      case 'cancel':
        return field.cancel() ? undefined : this.duel.pause(now, true);
      case 'help':
        this.help = true;
        return;
      default:
        return this.command(key);
    }
  }

  private keyBox(at: Place): void {
    const { field } = this;
    if (!field.corner) {
      field.corner = at;
      field.cursorShown = true;
      return;
    }
    const half = N.SUBS_PER_TILE / 2;
    const { corner } = field;
    const [left, right] = [Math.min(corner.x, at.x) - half, Math.max(corner.x, at.x) + half];
    const [top, bottom] = [Math.min(corner.y, at.y) - half, Math.max(corner.y, at.y) + half];
    field.selectBox({ x: left, y: top }, { x: right, y: bottom }, false);
    field.corner = null;
  }

  private moveCursor(dx: number, dy: number): void {
    const { field, scene } = this;
    field.cursorShown = true;
    field.cursor = {
      x: Math.min(scene.width - 1, Math.max(0, field.cursor.x + dx)),
      y: Math.min(scene.height - 1, Math.max(0, field.cursor.y + dy)),
    };
    this.camera.keep(field.cursor);
    this.sayCursor();
  }

  private sayCursor(): void {
    const { x, y } = this.field.cursor;
    say(this.spoken, `${x}, ${y}: ${describe(this.scene, this.rules, this.field.cursor)}`);
  }

  private pickEntry(place: number): void {
    const entry = this.panel.entryAt(place);
    if (entry) this.entry(this.panel.tab, entry.kind, entry.whyNot);
  }

  /** Another page takes the match's place. */
  free(): void {
    this.dead = true;
    this.resizes.disconnect();
    show(this.root, false);
  }
}
