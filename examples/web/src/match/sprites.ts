/** The shapes of units and buildings: the same on the map, in the build bar and on the panel. */
import { N } from '../wasm';
import { ORE, OUTLINE, SIDE, SIDE_DARK, SIDE_LIGHT, SIDE_MID } from './colours';

type Ctx = CanvasRenderingContext2D;

interface Paint {
  fill: string;
  dark: string;
  light: string;
}

const paintOf = (side: number): Paint => ({ fill: SIDE[side]!, dark: SIDE_DARK[side]!, light: SIDE_LIGHT[side]! });

function polygon(ctx: Ctx, points: readonly (readonly [number, number])[]): void {
  ctx.beginPath();
  points.forEach(([x, y], at) => (at === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
  ctx.closePath();
}

function solid(ctx: Ctx, fill: string, line = 0.06): void {
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.strokeStyle = OUTLINE;
  ctx.lineWidth = line;
  ctx.stroke();
}

function body(ctx: Ctx, x: number, y: number, width: number, height: number, round: number, fill: string): void {
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, round);
  solid(ctx, fill);
}

function dot(ctx: Ctx, x: number, y: number, radius: number, fill: string): void {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  solid(ctx, fill);
}

/** Tracks left and right of a hull. */
function tracks(ctx: Ctx, paint: Paint, length = 0.92): void {
  body(ctx, -length / 2, -0.46, length, 0.22, 0.08, '#414d5f');
  body(ctx, -length / 2, 0.24, length, 0.22, 0.08, '#414d5f');
  body(ctx, -length / 2 + 0.04, -0.36, length - 0.08, 0.72, 0.1, paint.fill);
}

function barrel(ctx: Ctx, from: number, to: number, y = 0, width = 0.12): void {
  body(ctx, from, y - width / 2, to - from, width, width / 3, '#d5dbe3');
}

/** Each drawn facing east, about one unit across. */
const UNITS: Record<number, (ctx: Ctx, paint: Paint) => void> = {
  [N.UNIT_HARVESTER]: (ctx, paint) => {
    tracks(ctx, paint, 1.02);
    body(ctx, -0.44, -0.29, 0.56, 0.58, 0.06, paint.dark);
    polygon(ctx, [[-0.17, -0.18], [0.02, 0], [-0.17, 0.18], [-0.36, 0]]);
    solid(ctx, ORE, 0.05);
    body(ctx, 0.2, -0.18, 0.2, 0.36, 0.05, paint.light);
  },
  [N.UNIT_SCOUT]: (ctx, paint) => {
    polygon(ctx, [[0.5, 0], [-0.05, -0.3], [-0.42, -0.22], [-0.28, 0], [-0.42, 0.22], [-0.05, 0.3]]);
    solid(ctx, paint.fill);
    dot(ctx, 0.06, 0, 0.11, paint.light);
  },
  [N.UNIT_RIFLE]: (ctx, paint) => {
    barrel(ctx, 0.05, 0.46, 0.14, 0.1);
    dot(ctx, 0, 0, 0.29, paint.fill);
    dot(ctx, 0.02, 0, 0.12, paint.light);
  },
  [N.UNIT_ROCKET]: (ctx, paint) => {
    body(ctx, -0.3, 0.06, 0.8, 0.2, 0.06, '#d5dbe3');
    dot(ctx, 0, -0.02, 0.29, paint.fill);
    dot(ctx, 0.02, -0.04, 0.12, '#20262e');
  },
  [N.UNIT_TANK]: (ctx, paint) => {
    tracks(ctx, paint);
    barrel(ctx, 0.1, 0.58);
    dot(ctx, 0, 0, 0.22, paint.light);
  },
  [N.UNIT_ARTILLERY]: (ctx, paint) => {
    tracks(ctx, paint, 0.84);
    barrel(ctx, -0.2, 0.74, 0, 0.17);
    body(ctx, -0.32, -0.2, 0.3, 0.4, 0.06, paint.dark);
  },
  [N.UNIT_REPAIR]: (ctx, paint) => {
    tracks(ctx, paint, 0.84);
    ctx.fillStyle = '#ffffff';
    ctx.fillRect(-0.07, -0.24, 0.14, 0.48);
    ctx.fillRect(-0.24, -0.07, 0.48, 0.14);
  },
  [N.UNIT_FLAK]: (ctx, paint) => {
    tracks(ctx, paint, 0.84);
    barrel(ctx, 0, 0.52, -0.11, 0.09);
    barrel(ctx, 0, 0.52, 0.11, 0.09);
    body(ctx, -0.22, -0.22, 0.36, 0.44, 0.08, paint.dark);
  },
  [N.UNIT_FIGHTER]: (ctx, paint) => {
    polygon(ctx, [[0.56, 0], [-0.08, -0.16], [-0.34, -0.46], [-0.42, -0.44], [-0.34, 0], [-0.42, 0.44], [-0.34, 0.46], [-0.08, 0.16]]);
    solid(ctx, paint.fill);
    polygon(ctx, [[0.3, 0], [0.02, -0.07], [0.02, 0.07]]);
    solid(ctx, paint.light, 0.03);
  },
  [N.UNIT_BOMBER]: (ctx, paint) => {
    polygon(ctx, [[0.46, 0], [0.24, -0.12], [-0.06, -0.6], [-0.24, -0.6], [-0.18, -0.12], [-0.46, -0.2], [-0.46, 0.2], [-0.18, 0.12], [-0.24, 0.6], [-0.06, 0.6], [0.24, 0.12]]);
    solid(ctx, paint.fill);
    dot(ctx, -0.02, 0, 0.11, '#20262e');
  },
  [N.UNIT_CONDOR]: (ctx, paint) => {
    body(ctx, -0.44, -0.14, 0.88, 0.28, 0.12, paint.fill);
    for (const x of [-0.3, 0.3]) {
      for (const y of [-0.36, 0.36]) {
        body(ctx, x - 0.04, Math.min(0, y), 0.08, Math.abs(y), 0.02, paint.dark);
        dot(ctx, x, y, 0.2, paint.light);
      }
    }
  },
  [N.UNIT_GOLIATH]: (ctx, paint) => {
    ctx.scale(1.25, 1.25);
    tracks(ctx, paint, 1.04);
    barrel(ctx, 0.1, 0.66, -0.1, 0.12);
    barrel(ctx, 0.1, 0.66, 0.1, 0.12);
    body(ctx, -0.26, -0.26, 0.48, 0.52, 0.12, paint.dark);
    dot(ctx, -0.02, 0, 0.12, paint.light);
  },
};

/** Draws a unit of so many pixels, facing `heading`. */
export function drawUnit(ctx: Ctx, kind: number, side: number, x: number, y: number, size: number, heading: number): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(heading);
  ctx.scale(size, size);
  ctx.lineJoin = 'round';
  (UNITS[kind] ?? UNITS[N.UNIT_TANK]!)(ctx, paintOf(side));
  ctx.restore();
}

/** What stands for a building, within a square of one unit around the middle. */
const GLYPHS: Record<number, (ctx: Ctx) => void> = {
  [N.BUILDING_HQ]: (ctx) => {
    const points = Array.from({ length: 10 }, (_, at) => {
      const radius = at % 2 === 0 ? 0.4 : 0.17;
      const angle = (at * Math.PI) / 5 - Math.PI / 2;
      return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
    });
    polygon(ctx, points);
    ctx.fill();
  },
  [N.BUILDING_REACTOR]: (ctx) => {
    polygon(ctx, [[0.1, -0.42], [-0.26, 0.08], [-0.03, 0.08], [-0.12, 0.42], [0.26, -0.1], [0.03, -0.1]]);
    ctx.fill();
  },
  [N.BUILDING_REFINERY]: (ctx) => {
    polygon(ctx, [[0, -0.38], [0.3, -0.1], [0, 0.4], [-0.3, -0.1]]);
    ctx.fill();
  },
  [N.BUILDING_BARRACKS]: (ctx) => {
    for (const y of [-0.16, 0.08]) {
      polygon(ctx, [[-0.32, y + 0.18], [0, y - 0.12], [0.32, y + 0.18], [0.32, y + 0.06], [0, y - 0.24], [-0.32, y + 0.06]]);
      ctx.fill();
    }
  },
  [N.BUILDING_FACTORY]: (ctx) => {
    ctx.beginPath();
    for (let at = 0; at < 16; at++) {
      const radius = at % 4 < 2 ? 0.38 : 0.27;
      const angle = (at * Math.PI) / 8;
      ctx.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
    }
    ctx.closePath();
    ctx.arc(0, 0, 0.12, 0, 2 * Math.PI, true);
    ctx.fill('evenodd');
  },
  [N.BUILDING_AIRFIELD]: (ctx) => {
    polygon(ctx, [[0, -0.42], [0.09, -0.1], [0.4, 0.14], [0.4, 0.24], [0.08, 0.12], [0.06, 0.3], [0.16, 0.4], [-0.16, 0.4], [-0.06, 0.3], [-0.08, 0.12], [-0.4, 0.24], [-0.4, 0.14], [-0.09, -0.1]]);
    ctx.fill();
  },
  [N.BUILDING_TURRET]: (ctx) => {
    ctx.beginPath();
    ctx.arc(0, 0, 0.34, 0, 2 * Math.PI);
    ctx.arc(0, 0, 0.2, 0, 2 * Math.PI, true);
    ctx.fill('evenodd');
    ctx.fillRect(-0.06, -0.48, 0.12, 0.48);
  },
  [N.BUILDING_UPLINK]: (ctx) => {
    ctx.beginPath();
    ctx.arc(-0.02, 0, 0.34, Math.PI / 4, (5 * Math.PI) / 4);
    ctx.closePath();
    ctx.fill();
    ctx.lineWidth = 0.09;
    ctx.strokeStyle = ctx.fillStyle;
    ctx.beginPath();
    ctx.moveTo(-0.05, 0.03);
    ctx.lineTo(0.26, -0.28);
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(0.26, -0.28, 0.1, 0, 2 * Math.PI);
    ctx.fill();
  },
};

/** Draws a building's plate and what it is, over a rectangle of pixels. */
export function drawBuilding(ctx: Ctx, kind: number, side: number, x: number, y: number, width: number, height: number): void {
  const least = Math.min(width, height);
  const inset = least * 0.06;
  const plate = (dy: number): void => {
    ctx.beginPath();
    ctx.roundRect(x + inset, y + inset + dy, width - 2 * inset, height - 2 * inset, least * 0.16);
  };
  plate(least * 0.06);
  ctx.fillStyle = '#0007';
  ctx.fill();
  plate(0);
  const shine = ctx.createLinearGradient(0, y, 0, y + height);
  shine.addColorStop(0, SIDE_MID[side]!);
  shine.addColorStop(1, SIDE_DARK[side]!);
  ctx.fillStyle = shine;
  ctx.fill();
  ctx.lineWidth = Math.max(1.5, least * 0.05);
  ctx.strokeStyle = SIDE[side]!;
  ctx.stroke();
  drawGlyph(ctx, kind, SIDE_LIGHT[side]!, x + width / 2, y + height / 2, Math.min(width, height) * 0.72);
}

function drawGlyph(ctx: Ctx, kind: number, fill: string, x: number, y: number, size: number): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size, size);
  ctx.fillStyle = fill;
  GLYPHS[kind]?.(ctx);
  ctx.restore();
}

const POWER_GLYPHS: Record<number, string> = {
  [N.POWER_STRIKE]: 'M0-.45 .12-.12 .45 0 .12 .12 0 .45-.12 .12-.45 0-.12-.12Z',
  [N.POWER_MEND]: 'M-.13-.4h.26v.27h.27v.26h-.27v.27h-.26v-.27h-.27v-.26h.27Z',
  [N.POWER_SCAN]: 'M-.45 0Q0-.55 .45 0Q0 .55-.45 0ZM-.14 0a.14 .14 0 1 0 .28 0a.14 .14 0 1 0-.28 0Z',
  [N.POWER_DROP]: 'M-.4-.05a.4 .38 0 0 1 .8 0L.08 .3h.02v.15h-.2v-.15h.02Z',
};

/** An icon for a button: a canvas of so many CSS pixels. */
export function icon(what: 'unit' | 'building' | 'power', kind: number, side: number, size: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  canvas.width = canvas.height = Math.round(size * ratio);
  canvas.style.width = canvas.style.height = `${size}px`;
  canvas.setAttribute('aria-hidden', 'true');
  const ctx = canvas.getContext('2d')!;
  ctx.scale(ratio, ratio);
  if (what === 'unit') drawUnit(ctx, kind, side, size / 2, size / 2, size * 0.74, -Math.PI / 5);
  else if (what === 'building') drawBuilding(ctx, kind, side, 0, 0, size, size);
  else {
    ctx.translate(size / 2, size / 2);
    ctx.scale(size * 0.9, size * 0.9);
    ctx.fillStyle = '#ffcf5c';
    ctx.fill(new Path2D(POWER_GLYPHS[kind] ?? POWER_GLYPHS[N.POWER_STRIKE]!), 'evenodd');
  }
  return canvas;
}
