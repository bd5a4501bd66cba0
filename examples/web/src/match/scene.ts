/** What one side sees of the world, as of the newest tick, and where things were a tick before. Reads, never orders. */
import { N, type Session, type SkirmishBuilding, type SkirmishUnit, type SkirmishWorld } from '../wasm';

export interface Place {
  x: number;
  y: number;
}

/** A jump further than this in one tick is no movement: a drop, a lift. Position units. */
const JUMP = 3 * N.SUBS_PER_TILE;

export class Scene {
  readonly width: number;
  readonly height: number;
  readonly terrain: Uint8Array;
  world: SkirmishWorld;
  units: SkirmishUnit[] = [];
  buildings: SkirmishBuilding[] = [];
  ore: Uint16Array = new Uint16Array();
  fog: Uint8Array = new Uint8Array();
  /** Enemy buildings that were seen and are out of sight now. */
  remembered: SkirmishBuilding[] = [];
  readonly byId = new Map<number, SkirmishUnit>();
  private before = new Map<number, Place>();
  private headings = new Map<number, number>();
  private known = new Map<number, SkirmishBuilding>();

  constructor(
    session: Session,
    readonly side: number,
  ) {
    this.world = session.world();
    this.width = this.world.width;
    this.height = this.world.height;
    this.terrain = session.terrain();
    this.refresh(session);
  }

  /** Reads the world anew: after ticks were stepped. */
  refresh(session: Session): void {
    const before = new Map<number, Place>();
    for (const unit of this.units) before.set(unit.id, { x: unit.x, y: unit.y });
    this.before = before;
    this.world = session.world();
    this.units = session.units(this.side).filter((unit) => unit.carrier < 0);
    this.buildings = session.buildings(this.side);
    this.ore = session.ore();
    this.fog = session.fog(this.side);
    this.byId.clear();
    for (const unit of this.units) {
      this.byId.set(unit.id, unit);
      const was = before.get(unit.id);
      if (was && (was.x !== unit.x || was.y !== unit.y)) {
        this.headings.set(unit.id, Math.atan2(unit.y - was.y, unit.x - was.x));
      }
    }
    for (const id of this.headings.keys()) if (!this.byId.has(id)) this.headings.delete(id);
    this.remember();
  }

  private remember(): void {
    const shown = new Set(this.buildings.map(({ id }) => id));
    for (const building of this.buildings) if (building.side !== this.side) this.known.set(building.id, building);
    this.remembered = [];
    for (const building of this.known.values()) {
      if (shown.has(building.id)) continue;
      if (this.seesAny(building)) this.known.delete(building.id);
      else this.remembered.push(building);
    }
  }

  private seesAny({ tileX, tileY, tilesX, tilesY }: SkirmishBuilding): boolean {
    for (let y = tileY; y < tileY + tilesY; y++) {
      for (let x = tileX; x < tileX + tilesX; x++) if (this.fogAt(x, y) === 2) return true;
    }
    return false;
  }

  /** 0 never seen, 1 seen before, 2 in sight. */
  fogAt(tileX: number, tileY: number): number {
    if (tileX < 0 || tileY < 0 || tileX >= this.width || tileY >= this.height) return 0;
    return this.fog[tileY * this.width + tileX] ?? 0;
  }

  oreAt(tileX: number, tileY: number): number {
    return this.ore[tileY * this.width + tileX] ?? 0;
  }

  get own(): SkirmishBuilding[] {
    return this.buildings.filter(({ side }) => side === this.side);
  }

  get ownUnits(): SkirmishUnit[] {
    return this.units.filter(({ side }) => side === this.side);
  }

  /** Where a unit is to be drawn, `pose` of the way from the tick before to the newest. */
  pose(unit: SkirmishUnit, pose: number): Place {
    const was = this.before.get(unit.id);
    if (!was || Math.hypot(unit.x - was.x, unit.y - was.y) > JUMP) return unit;
    return { x: was.x + (unit.x - was.x) * pose, y: was.y + (unit.y - was.y) * pose };
  }

  /** Which way a unit faces, radians clockwise from east. */
  heading(unit: SkirmishUnit): number {
    const target = unit.target >= 0 ? this.byId.get(unit.target) : undefined;
    if (target) return Math.atan2(target.y - unit.y, target.x - unit.x);
    return this.headings.get(unit.id) ?? (unit.side === N.SIDE_BLUE ? 0 : Math.PI);
  }

  /** The tile at the middle of a side's home. */
  home(side: number): Place {
    return { x: this.world.homes[2 * side]!, y: this.world.homes[2 * side + 1]! };
  }
}

export const tileOf = ({ x, y }: Place): Place => ({
  x: Math.floor(x / N.SUBS_PER_TILE),
  y: Math.floor(y / N.SUBS_PER_TILE),
});

export function covers({ tileX, tileY, tilesX, tilesY }: SkirmishBuilding, tile: Place): boolean {
  return tile.x >= tileX && tile.x < tileX + tilesX && tile.y >= tileY && tile.y < tileY + tilesY;
}

export const middleOf = ({ tileX, tileY, tilesX, tilesY }: SkirmishBuilding): Place => ({
  x: (tileX + tilesX / 2) * N.SUBS_PER_TILE,
  y: (tileY + tilesY / 2) * N.SUBS_PER_TILE,
});
