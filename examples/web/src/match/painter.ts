/** One frame of a match on its canvas: ground, bases, units, what is selected, effects, fog. */
import { N, type SkirmishBuilding, type SkirmishUnit } from '../wasm';
import type { Camera } from './camera';
import { BAD, GOOD, OUTLINE, SELECT, WARN } from './colours';
import type { Effects } from './effects';
import type { Field } from './field';
import type { Ground } from './ground';
import type { Rules } from './rules';
import { covers, middleOf, tileOf, type Place, type Scene } from './scene';
import { drawBuilding, drawUnit } from './sprites';

type Ctx = CanvasRenderingContext2D;

/** Buildings carry their names from this zoom on. */
const NAMED_FROM_PX = 26;

export interface Frame {
  now: number;
  /** Between the tick before and the newest, 0 to 1. */
  pose: number;
  /** Where the pointer is, pixels; `null` for none. */
  pointer: Place | null;
  /** A box being drawn, pixels. */
  box: { from: Place; to: Place } | null;
  canPlace: (kind: number, tile: Place) => boolean;
}

export class Painter {
  constructor(
    private readonly ctx: Ctx,
    private readonly scene: Scene,
    private readonly rules: Rules,
    private readonly ground: Ground,
    private readonly effects: Effects,
    private readonly field: Field,
    private readonly camera: Camera,
  ) {}

  draw(frame: Frame): void {
    const { ctx, scene, camera } = this;
    this.ground.draw(ctx, camera);
    this.drawRally();
    for (const building of scene.remembered) this.building(building, true);
    for (const building of scene.buildings) this.building(building, false);
    for (const flies of [0, 1]) {
      for (const unit of scene.units) if (this.rules.units[unit.kind]!.spec.flies === flies) this.unit(unit, frame.pose);
    }
    this.effects.draw(ctx, camera, frame.now);
    this.ground.drawFog(ctx, camera);
    this.drawArmed(frame);
    this.drawBox(frame);
    this.drawCursor();
  }

  private building(building: SkirmishBuilding, remembered: boolean): void {
    const { ctx, camera } = this;
    const { x, y } = camera.pixelOfTile({ x: building.tileX, y: building.tileY });
    const [width, height] = [building.tilesX * camera.tilePx, building.tilesY * camera.tilePx];
    if (x > camera.width || y > camera.height || x + width < 0 || y + height < 0) return;
    ctx.globalAlpha = remembered ? 0.6 : 1;
    drawBuilding(ctx, building.kind, building.side, x, y, width, height);
    ctx.globalAlpha = 1;
    if (remembered) return;
    if (camera.tilePx >= NAMED_FROM_PX) {
      ctx.font = '600 11px system-ui, sans-serif';
      ctx.textAlign = 'center';
      ctx.fillStyle = '#e9f0fa';
      ctx.fillText(this.rules.buildings[building.kind]!.name, x + width / 2, y + height + 11);
    }
    if (this.field.building === building.id) {
      ctx.strokeStyle = SELECT;
      ctx.lineWidth = 2;
      ctx.setLineDash([7, 4]);
      ctx.strokeRect(x + 1, y + 1, width - 2, height - 2);
      ctx.setLineDash([]);
    }
    if (building.hp < building.hpWhole || this.field.building === building.id) {
      this.bar(x + width * 0.1, y + height - 7, width * 0.8, building.hp / building.hpWhole, null);
    }
    if (building.side === this.scene.side && building.queued > 0) {
      this.bar(x + width * 0.1, y + 4, width * 0.8, building.progressPermille / 1000, WARN);
    }
  }

  private unit(unit: SkirmishUnit, pose: number): void {
    const { ctx, camera } = this;
    const { x, y } = camera.pixel(this.scene.pose(unit, pose));
    const reach = 2 * camera.tilePx;
    if (x < -reach || y < -reach || x > camera.width + reach || y > camera.height + reach) return;
    const { spec } = this.rules.units[unit.kind]!;
    // True to size where that can be seen and tapped, never smaller than a finger can tell apart.
    const size = Math.max(14, 0.7 * camera.tilePx, (2.4 * spec.radius * camera.tilePx) / N.SUBS_PER_TILE);
    const selected = this.field.selected.has(unit.id);
    const lifted = spec.flies === 1 ? size * 0.22 : 0;
    ctx.fillStyle = '#0005';
    ctx.beginPath();
    ctx.ellipse(x, y + (lifted > 0 ? lifted * 1.5 : size * 0.1), size * 0.48, size * 0.36, 0, 0, 2 * Math.PI);
    ctx.fill();
    if (selected) {
      ctx.strokeStyle = '#ffffffd9';
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      ctx.arc(x, y - lifted, size * 0.62, 0, 2 * Math.PI);
      ctx.stroke();
    }
    if (unit.dugIn === 1) {
      ctx.strokeStyle = '#e8e2c9';
      ctx.lineWidth = 2;
      ctx.setLineDash([4, 3]);
      ctx.strokeRect(x - size * 0.58, y - size * 0.58, size * 1.16, size * 1.16);
      ctx.setLineDash([]);
    }
    drawUnit(ctx, unit.kind, unit.side, x, y - lifted, size, this.scene.heading(unit));
    if (unit.hp < unit.hpWhole) {
      this.bar(x - size * 0.5, y - lifted - size * 0.72, size, unit.hp / unit.hpWhole, null);
    }
  }

  private bar(x: number, y: number, width: number, share: number, colour: string | null): void {
    const { ctx } = this;
    ctx.fillStyle = OUTLINE;
    ctx.fillRect(x - 1, y - 1, width + 2, 5);
    ctx.fillStyle = colour ?? (share > 0.5 ? GOOD : share > 0.25 ? WARN : BAD);
    ctx.fillRect(x, y, Math.max(1, width * Math.min(1, share)), 3);
  }

  private drawRally(): void {
    const building = this.field.building === null ? null : this.field.ownBuilding(this.field.building);
    if (building?.hasRally !== 1) return;
    const { ctx, camera } = this;
    const [from, to] = [camera.pixel(middleOf(building)), camera.pixel({ x: building.rallyX, y: building.rallyY })];
    ctx.strokeStyle = GOOD;
    ctx.lineWidth = 1.5;
    ctx.setLineDash([5, 5]);
    ctx.beginPath();
    ctx.moveTo(from.x, from.y);
    ctx.lineTo(to.x, to.y);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.fillStyle = GOOD;
    ctx.beginPath();
    ctx.arc(to.x, to.y, 4, 0, 2 * Math.PI);
    ctx.fill();
  }

  /** What the next tap would do, where the pointer or the keyboard's cursor is. */
  private drawArmed({ pointer, canPlace }: Frame): void {
    const { armed } = this.field;
    if (!armed) return;
    const { ctx, camera, field } = this;
    const middle = { x: (field.cursor.x + 0.5) * N.SUBS_PER_TILE, y: (field.cursor.y + 0.5) * N.SUBS_PER_TILE };
    const at = field.cursorShown || !pointer ? middle : camera.subsAt(pointer);
    if (armed.to === 'place') {
      const tile = field.placeTile(armed.kind, at);
      const [across, down] = this.rules.buildings[armed.kind]!.spec.tiles as [number, number];
      const may = canPlace(armed.kind, tile);
      const { x, y } = camera.pixelOfTile(tile);
      ctx.globalAlpha = 0.75;
      drawBuilding(ctx, armed.kind, this.scene.side, x, y, across * camera.tilePx, down * camera.tilePx);
      ctx.fillStyle = may ? '#4ade8055' : '#ff3b3066';
      ctx.fillRect(x, y, across * camera.tilePx, down * camera.tilePx);
      ctx.globalAlpha = 1;
    } else if (armed.to === 'power') {
      const { x, y } = camera.pixel(at);
      ctx.strokeStyle = WARN;
      ctx.lineWidth = 2;
      ctx.beginPath();
      ctx.arc(x, y, (this.rules.powers[armed.power]!.spec.range / N.SUBS_PER_TILE) * camera.tilePx, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }

  private drawBox({ box }: Frame): void {
    const { ctx, camera, field } = this;
    const corner = field.corner && camera.pixel(field.corner);
    const cursor = camera.pixelOfTile({ x: field.cursor.x + 0.5, y: field.cursor.y + 0.5 });
    const [from, to] = box ? [box.from, box.to] : [corner, cursor];
    if (!from || !to) return;
    ctx.fillStyle = '#ffffff1c';
    ctx.strokeStyle = SELECT;
    ctx.lineWidth = 1.5;
    ctx.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
    ctx.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
  }

  private drawCursor(): void {
    const { ctx, camera, field } = this;
    if (!field.cursorShown) return;
    const { x, y } = camera.pixelOfTile(field.cursor);
    ctx.strokeStyle = WARN;
    ctx.lineWidth = 2.5;
    ctx.strokeRect(x + 1, y + 1, camera.tilePx - 2, camera.tilePx - 2);
  }
}

/** What stands at a tile, for those who cannot see the canvas. */
export function describe(scene: Scene, rules: Rules, tile: Place): string {
  const whose = (side: number): string => (side === scene.side ? 'your' : 'enemy');
  const units = scene.units.filter((unit) => {
    const at = tileOf(unit);
    return at.x === tile.x && at.y === tile.y;
  });
  const there = units.map((unit) => `${whose(unit.side)} ${rules.units[unit.kind]!.name}`);
  for (const building of [...scene.buildings, ...scene.remembered]) {
    if (covers(building, tile)) there.push(`${whose(building.side)} ${rules.buildings[building.kind]!.name}`);
  }
  if (scene.fogAt(tile.x, tile.y) === 0) return 'unexplored';
  if (there.length > 0) return there.join(', ');
  if (scene.oreAt(tile.x, tile.y) > 0) return 'ore';
  return ['open ground', 'rough ground', 'rock', 'water'][scene.terrain[tile.y * scene.width + tile.x] ?? 0]!;
}
