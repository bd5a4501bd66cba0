/** The player's hands on the map: selection, what is armed, and what becomes an order. Orders come out; it gives none. */
import { N, type SkirmishBuilding, type SkirmishOrder, type SkirmishUnit } from '../wasm';
import { LIFT_CONDORS, type Rules } from './rules';
import { covers, middleOf, tileOf, type Place, type Scene } from './scene';

/** What the next tap does. */
export type Armed =
  | { to: 'move' | 'attack-move' | 'unload' | 'rally' }
  | { to: 'power'; power: number }
  | { to: 'place'; kind: number };

/** Orders, or why there are none. */
export type Outcome = SkirmishOrder[] | string;

const SELECT_UNITS = 'Select units first.';
const SELECT_BUILDING = 'Select a building first.';

type Target =
  | { kind: 'enemy'; id: number }
  | { kind: 'condor'; id: number }
  | { kind: 'goliath'; id: number }
  | { kind: 'ore' }
  | { kind: 'ground' };

export class Field {
  readonly selected = new Set<number>();
  building: number | null = null;
  armed: Armed | null = null;
  /** The keyboard's cursor, a tile; shown once a key has moved it. */
  cursor: Place;
  cursorShown = false;
  /** One corner of a box drawn by keys, a position. */
  corner: Place | null = null;

  constructor(
    readonly scene: Scene,
    private readonly rules: Rules,
  ) {
    this.cursor = scene.home(scene.side);
  }

  /** The world has moved on: what is gone is no longer selected. */
  follow(): void {
    for (const id of this.selected) {
      const unit = this.scene.byId.get(id);
      if (!unit || unit.side !== this.scene.side) this.selected.delete(id);
    }
    if (this.building !== null && !this.ownBuilding(this.building)) this.building = null;
    if (this.armed?.to === 'place' && this.scene.world.site[this.scene.side] === N.NONE) this.armed = null;
  }

  ownBuilding(id: number): SkirmishBuilding | null {
    return this.scene.own.find((building) => building.id === id) ?? null;
  }

  units(): SkirmishUnit[] {
    return [...this.selected].flatMap((id) => this.scene.byId.get(id) ?? []);
  }

  private ofKind(wanted: (kind: number) => boolean): number[] {
    return this.units().filter(({ kind }) => wanted(kind)).map(({ id }) => id);
  }

  clear(): void {
    this.selected.clear();
    this.building = null;
    this.armed = null;
    this.corner = null;
  }

  /** One step back: disarm, or drop the selection. True if there was something. */
  cancel(): boolean {
    if (this.armed || this.corner) {
      [this.armed, this.corner] = [null, null];
      return true;
    }
    const any = this.selected.size > 0 || this.building !== null;
    this.clear();
    return any;
  }

  private take(units: readonly SkirmishUnit[], add = false): void {
    if (!add) this.selected.clear();
    this.building = null;
    for (const { id } of units) this.selected.add(id);
  }

  selectArmy(): void {
    this.take(this.scene.ownUnits.filter(({ kind }) => kind !== N.UNIT_HARVESTER));
  }

  selectHarvesters(): void {
    this.take(this.scene.ownUnits.filter(({ kind }) => kind === N.UNIT_HARVESTER));
  }

  /** Every unit of the kind of the one at `at`, among those shown. */
  selectAlike(at: Place, reach: number, shown: (unit: SkirmishUnit) => boolean): void {
    const unit = this.ownAt(at, reach);
    if (unit) this.take(this.scene.ownUnits.filter((other) => other.kind === unit.kind && shown(other)));
  }

  /** Selects what stands at a place: a unit of one's own, else a building. True if there was something. */
  selectAt(at: Place, reach: number, add: boolean): boolean {
    const unit = this.ownAt(at, reach);
    if (unit) {
      if (add && this.selected.has(unit.id)) this.selected.delete(unit.id);
      else this.take([unit], add);
      return true;
    }
    const building = this.buildingAt(at);
    if (!add) this.selected.clear();
    this.building = building?.id ?? null;
    return building !== null;
  }

  ownAt(at: Place, reach: number): SkirmishUnit | null {
    return nearest(this.scene.ownUnits, at, reach);
  }

  buildingAt(at: Place): SkirmishBuilding | null {
    const tile = tileOf(at);
    return this.scene.own.find((building) => covers(building, tile)) ?? null;
  }

  /** Selects the fighting units in a box; where there are none, harvesters. */
  selectBox(a: Place, b: Place, add: boolean): void {
    const inside = this.scene.ownUnits.filter(({ x, y }) => between(x, a.x, b.x) && between(y, a.y, b.y));
    const fighting = inside.filter(({ kind }) => kind !== N.UNIT_HARVESTER);
    this.take(fighting.length > 0 ? fighting : inside, add);
  }

  nextBuilding(): Place | null {
    const own = this.scene.own;
    const after = this.building ?? -1;
    const next = own.find(({ id }) => id > after) ?? own[0];
    if (!next) return null;
    this.selected.clear();
    this.building = next.id;
    this.cursor = tileOf(middleOf(next));
    return this.cursor;
  }

  /** Arms what the next tap does. */
  arm(armed: Armed): string | null {
    if (armed.to === 'rally' && this.building === null) return SELECT_BUILDING;
    const needsUnits = armed.to === 'move' || armed.to === 'attack-move' || armed.to === 'unload';
    if (needsUnits && this.selected.size === 0) return SELECT_UNITS;
    this.armed = armed;
    return null;
  }

  /** What was armed, at a place; `null` with nothing armed. */
  actArmed(at: Place, canPlace: (kind: number, tile: Place) => boolean): Outcome | null {
    const { armed } = this;
    if (!armed) return null;
    const units = [...this.selected];
    if (armed.to === 'place') {
      const tile = this.placeTile(armed.kind, at);
      if (!canPlace(armed.kind, tile)) return `No room for a ${this.rules.buildings[armed.kind]!.name} there.`;
      this.armed = null;
      return [{ kind: N.ORDER_PLACE_BUILDING, x: tile.x * N.SUBS_PER_TILE, y: tile.y * N.SUBS_PER_TILE }];
    }
    this.armed = null;
    switch (armed.to) {
      case 'move':
        return [{ kind: N.ORDER_MOVE, units, ...at }];
      case 'attack-move':
        return [{ kind: N.ORDER_ATTACK_MOVE, units, ...at }];
      case 'unload':
        return [{ kind: N.ORDER_UNLOAD, units: this.ofKind((kind) => kind === N.UNIT_CONDOR), ...at }];
      case 'power':
        return [{ kind: N.ORDER_CALLDOWN, what: armed.power, ...at }];
      case 'rally':
        return this.building === null ? 'The building is gone.' : [{ kind: N.ORDER_RALLY, object: this.building, ...at }];
    }
  }

  /** The north-west tile of a building whose middle a finger points at. */
  placeTile(kind: number, at: Place): Place {
    const [across, down] = this.rules.buildings[kind]!.spec.tiles as [number, number];
    const tile = tileOf({ x: at.x - ((across - 1) * N.SUBS_PER_TILE) / 2, y: at.y - ((down - 1) * N.SUBS_PER_TILE) / 2 });
    return { x: Math.max(0, tile.x), y: Math.max(0, tile.y) };
  }

  /** What makes sense at a place for what is selected. */
  actByContext(at: Place, reach: number): Outcome {
    const all = [...this.selected];
    if (all.length === 0) {
      const building = this.building === null ? null : this.ownBuilding(this.building);
      const makes = building && this.rules.units.some(({ spec }) => spec.madeIn === building.kind);
      return makes ? [{ kind: N.ORDER_RALLY, object: building.id, ...at }] : SELECT_UNITS;
    }
    const harvesters = this.ofKind((kind) => kind === N.UNIT_HARVESTER);
    const foot = this.ofKind((kind) => this.rules.units[kind]!.spec.boards === 1);
    const condors = this.ofKind((kind) => kind === N.UNIT_CONDOR);
    const target = this.target(at, reach);
    if (target.kind === 'enemy') return [{ kind: N.ORDER_ATTACK, units: all, object: target.id }];
    if (target.kind === 'condor' && foot.length > 0) return [{ kind: N.ORDER_BOARD, units: foot, object: target.id }];
    if (target.kind === 'goliath' && condors.length >= LIFT_CONDORS) {
      return [{ kind: N.ORDER_LIFT, units: condors, object: target.id }];
    }
    if (target.kind === 'ore' && harvesters.length > 0) {
      const others = all.filter((id) => !harvesters.includes(id));
      const orders: SkirmishOrder[] = [{ kind: N.ORDER_HARVEST, units: harvesters, ...at }];
      if (others.length > 0) orders.push({ kind: N.ORDER_MOVE, units: others, ...at });
      return orders;
    }
    return [{ kind: N.ORDER_MOVE, units: all, ...at }];
  }

  private target(at: Place, reach: number): Target {
    const { scene } = this;
    const others = scene.units.filter(({ id }) => !this.selected.has(id));
    const enemy = nearest(others.filter(({ side }) => side !== scene.side), at, reach);
    if (enemy) return { kind: 'enemy', id: enemy.id };
    const own = nearest(others.filter(({ side }) => side === scene.side), at, reach);
    if (own?.kind === N.UNIT_CONDOR) return { kind: 'condor', id: own.id };
    if (own?.kind === N.UNIT_GOLIATH) return { kind: 'goliath', id: own.id };
    const tile = tileOf(at);
    const base = scene.buildings.find((building) => building.side !== scene.side && covers(building, tile));
    if (base) return { kind: 'enemy', id: base.id };
    const ore = scene.oreAt(tile.x, tile.y) > 0 && scene.fogAt(tile.x, tile.y) > 0;
    return ore ? { kind: 'ore' } : { kind: 'ground' };
  }

  /** What a tap on one's own unit would rather mean for what is selected: a boarding or a lift. */
  wantsOwn(at: Place, reach: number): boolean {
    const target = this.target(at, reach);
    if (target.kind === 'condor') return this.ofKind((kind) => this.rules.units[kind]!.spec.boards === 1).length > 0;
    if (target.kind === 'goliath') return this.ofKind((kind) => kind === N.UNIT_CONDOR).length >= LIFT_CONDORS;
    return false;
  }

  /** Orders that need no place. */
  atOnce(what: 'stop' | 'anchor' | 'pack-up' | 'sell'): Outcome {
    const units = [...this.selected];
    if (what === 'sell') {
      return this.building === null ? SELECT_BUILDING : [{ kind: N.ORDER_SELL, object: this.building }];
    }
    if (what === 'stop') return units.length > 0 ? [{ kind: N.ORDER_STOP, units }] : SELECT_UNITS;
    const guns = this.ofKind((kind) => kind === N.UNIT_ARTILLERY);
    if (guns.length === 0) return 'Select artillery first.';
    return [{ kind: what === 'anchor' ? N.ORDER_ANCHOR : N.ORDER_PACK_UP, units: guns }];
  }
}

function nearest(units: readonly SkirmishUnit[], at: Place, reach: number): SkirmishUnit | null {
  let [best, least] = [null as SkirmishUnit | null, reach];
  for (const unit of units) {
    const distance = Math.hypot(unit.x - at.x, unit.y - at.y);
    if (distance < least || (distance === least && best === null)) [best, least] = [unit, distance];
  }
  return best;
}

const between = (value: number, a: number, b: number): boolean => value >= Math.min(a, b) && value <= Math.max(a, b);
