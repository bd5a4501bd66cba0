/** What happened lately, for the eye: shots, bursts, losses, powers, and where the player just pointed. */
import { N, type SkirmishEffect } from '../wasm';
import type { Camera } from './camera';
import { BAD, GOOD, SIDE, WARN } from './colours';
import type { Place, Scene } from './scene';

type Ctx = CanvasRenderingContext2D;

interface Shown {
  at: number;
  lasts: number;
  draw(ctx: Ctx, camera: Camera, share: number): void;
}

const SHOT_US = 220_000;
const BURST_US = 420_000;
const LOSS_US = 800_000;
const POWER_US = 1_400_000;
const POINT_US = 600_000;
/** More than a busy battle shows at once. */
const SHOWN_MAX = 400;

export class Effects {
  private shown: Shown[] = [];

  constructor(
    private readonly scene: Scene,
    private readonly radiusOf: (power: number) => number,
    private readonly still: boolean,
  ) {}

  /** Takes in an effect that this side may see. */
  note(effect: SkirmishEffect, now: number): void {
    if (((effect.seenBy >> this.scene.side) & 1) === 0) return;
    const place = { x: effect.x, y: effect.y };
    switch (effect.kind) {
      case N.EFFECT_SHOT:
        this.shot(place, { x: effect.toX, y: effect.toY }, effect.side, effect.flag === 1, now);
        break;
      case N.EFFECT_UNIT_LOST:
        this.ring(place, 0.3, 0.9, WARN, LOSS_US, now);
        break;
      case N.EFFECT_BUILDING_LOST:
        if (effect.flag === 0) this.ring(place, 0.5, 2.4, BAD, LOSS_US * 1.4, now);
        break;
      case N.EFFECT_POWER:
        this.circle(place, this.radiusOf(effect.what), SIDE[effect.side]!, POWER_US, now);
        break;
      case N.EFFECT_STRIKE:
        this.ring(place, 0.5, this.radiusOf(N.POWER_STRIKE) / N.SUBS_PER_TILE, '#fff2c8', LOSS_US, now);
        break;
      case N.EFFECT_WAVE:
        this.ring(place, 0.4, 2, SIDE[effect.side]!, POWER_US, now);
        break;
    }
  }

  /** Where the player just sent something. */
  point(place: Place, attack: boolean, now: number): void {
    this.add(now, POINT_US, (ctx, camera, share) => {
      const { x, y } = camera.pixel(place);
      ctx.strokeStyle = attack ? BAD : GOOD;
      ctx.globalAlpha = 1 - share;
      ctx.lineWidth = 2.5;
      ctx.beginPath();
      ctx.arc(x, y, camera.tilePx * (this.still ? 0.45 : 0.7 - 0.45 * share), 0, 2 * Math.PI);
      ctx.stroke();
    });
  }

  private add(at: number, lasts: number, draw: Shown['draw']): void {
    if (this.shown.length < SHOWN_MAX) this.shown.push({ at, lasts, draw });
  }

  private shot(from: Place, to: Place, side: number, bursts: boolean, now: number): void {
    this.add(now, SHOT_US, (ctx, camera, share) => {
      const [a, b] = [camera.pixel(from), camera.pixel(to)];
      // A streak that travels; without motion, the whole line at once.
      const [head, tail] = this.still ? [1, 0] : [Math.min(1, share * 1.6), Math.max(0, share * 1.6 - 0.6)];
      ctx.globalAlpha = 0.9 * (1 - share * 0.6);
      ctx.strokeStyle = side === N.SIDE_BLUE ? '#d7ecff' : '#ffe1cf';
      ctx.lineWidth = bursts ? 3 : 1.6;
      ctx.beginPath();
      ctx.moveTo(a.x + (b.x - a.x) * tail, a.y + (b.y - a.y) * tail);
      ctx.lineTo(a.x + (b.x - a.x) * head, a.y + (b.y - a.y) * head);
      ctx.stroke();
    });
    if (bursts) this.ring(to, 0.1, 0.8, '#ffb35c', BURST_US, now);
  }

  /** A ring that opens, in tiles. */
  private ring(place: Place, from: number, to: number, colour: string, lasts: number, now: number): void {
    this.add(now, lasts, (ctx, camera, share) => {
      const { x, y } = camera.pixel(place);
      const radius = camera.tilePx * (this.still ? to : from + (to - from) * Math.sqrt(share));
      ctx.globalAlpha = (1 - share) * 0.35;
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.arc(x, y, radius, 0, 2 * Math.PI);
      ctx.fill();
      ctx.globalAlpha = 1 - share;
      ctx.strokeStyle = colour;
      ctx.lineWidth = 2;
      ctx.stroke();
    });
  }

  private circle(place: Place, radius: number, colour: string, lasts: number, now: number): void {
    this.add(now, lasts, (ctx, camera, share) => {
      const { x, y } = camera.pixel(place);
      ctx.globalAlpha = 1 - share;
      ctx.strokeStyle = colour;
      ctx.lineWidth = 2.5;
      ctx.setLineDash([8, 6]);
      ctx.beginPath();
      ctx.arc(x, y, (radius / N.SUBS_PER_TILE) * camera.tilePx, 0, 2 * Math.PI);
      ctx.stroke();
      ctx.setLineDash([]);
    });
  }

  draw(ctx: Ctx, camera: Camera, now: number): void {
    this.shown = this.shown.filter(({ at, lasts }) => now - at < lasts);
    ctx.save();
    for (const { at, lasts, draw } of this.shown) {
      draw(ctx, camera, Math.max(0, (now - at) / lasts));
      ctx.globalAlpha = 1;
    }
    ctx.restore();
  }
}
