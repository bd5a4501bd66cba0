/** The ground under a match, painted once; the ore on it; the fog over it. */
import { N } from '../wasm';
import type { Camera } from './camera';
import { ORE, OUTLINE, TERRAIN, UNSEEN } from './colours';
import type { Scene } from './scene';

type Ctx = CanvasRenderingContext2D;

/** Pixels a tile of the painted ground. */
const TILE_PX = 32;
/** A tile's ore is drawn as up to this many crystals, one for so many credits. */
const CRYSTALS = 4;
const CREDITS_A_CRYSTAL = 120;

/** A number from 0 to 1 that belongs to a place: the same ground at every visit. */
function speck(x: number, y: number, salt: number): number {
  let hash = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(salt, 2147483647);
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

export class Ground {
  /** The whole map without its ore, `TILE_PX` a tile. */
  readonly picture: HTMLCanvasElement;
  /** A pixel a tile. */
  readonly fog: HTMLCanvasElement;
  private readonly fogPixels: ImageData;

  constructor(private readonly scene: Scene) {
    this.picture = document.createElement('canvas');
    this.picture.width = scene.width * TILE_PX;
    this.picture.height = scene.height * TILE_PX;
    this.paint(this.picture.getContext('2d')!);
    // A tile of margin all round, so that the fog's soft edge reaches the map's.
    this.fog = document.createElement('canvas');
    this.fog.width = scene.width + 2;
    this.fog.height = scene.height + 2;
    this.fogPixels = new ImageData(this.fog.width, this.fog.height);
    this.refreshFog();
  }

  private at(x: number, y: number): number {
    const { scene } = this;
    const [inX, inY] = [Math.min(scene.width - 1, Math.max(0, x)), Math.min(scene.height - 1, Math.max(0, y))];
    return scene.terrain[inY * scene.width + inX]!;
  }

  private paint(ctx: Ctx): void {
    ctx.fillStyle = TERRAIN[N.TERRAIN_PLAIN];
    ctx.fillRect(0, 0, this.picture.width, this.picture.height);
    this.meadows(ctx);
    this.tiles((x, y) => this.grass(ctx, x, y));
    this.blobs(ctx, N.TERRAIN_ROUGH, TERRAIN[N.TERRAIN_ROUGH], 0);
    this.tiles((x, y, kind) => kind === N.TERRAIN_ROUGH && this.stones(ctx, x, y));
    this.blobs(ctx, N.TERRAIN_WATER, '#3b7391', 2);
    this.blobs(ctx, N.TERRAIN_WATER, TERRAIN[N.TERRAIN_WATER], -2);
    this.tiles((x, y, kind) => kind === N.TERRAIN_WATER && this.ripples(ctx, x, y));
    ctx.save();
    ctx.translate(0, 4);
    this.blobs(ctx, N.TERRAIN_ROCK, '#22242a', 1);
    ctx.restore();
    this.blobs(ctx, N.TERRAIN_ROCK, '#565b65', 0);
    this.blobs(ctx, N.TERRAIN_ROCK, TERRAIN[N.TERRAIN_ROCK], -4);
    this.tiles((x, y, kind) => kind === N.TERRAIN_ROCK && this.facets(ctx, x, y));
  }

  private tiles(each: (x: number, y: number, kind: number) => void): void {
    for (let y = 0; y < this.scene.height; y++) {
      for (let x = 0; x < this.scene.width; x++) each(x, y, this.at(x, y));
    }
  }

  /** Light and dark meadows: a few pixels a map, smoothed over all of it. */
  private meadows(ctx: Ctx): void {
    const [across, down] = [Math.ceil(this.scene.width / 3), Math.ceil(this.scene.height / 3)];
    const small = document.createElement('canvas');
    [small.width, small.height] = [across, down];
    const dots = small.getContext('2d')!;
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) {
        const shade = speck(x, y, 1);
        dots.fillStyle = shade > 0.5 ? `rgb(190 205 140 / ${(shade - 0.5) * 0.34})` : `rgb(15 30 20 / ${(0.5 - shade) * 0.5})`;
        dots.fillRect(x, y, 1, 1);
      }
    }
    ctx.imageSmoothingEnabled = true;
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(small, 0, 0, this.picture.width, this.picture.height);
  }

  private grass(ctx: Ctx, x: number, y: number): void {
    for (let salt = 2; salt < 5; salt++) {
      ctx.fillStyle = speck(x, y, salt) > 0.5 ? '#8ba07418' : '#1f2b1c22';
      const [dx, dy] = [speck(x, y, salt + 10) * TILE_PX, speck(x, y, salt + 20) * TILE_PX];
      ctx.fillRect(x * TILE_PX + dx, y * TILE_PX + dy, 3, 2);
    }
  }

  private stones(ctx: Ctx, x: number, y: number): void {
    for (let salt = 30; salt < 34; salt++) {
      ctx.fillStyle = speck(x, y, salt) > 0.5 ? '#918760' : '#544e35';
      ctx.beginPath();
      const [dx, dy] = [(0.15 + 0.7 * speck(x, y, salt + 10)) * TILE_PX, (0.15 + 0.7 * speck(x, y, salt + 20)) * TILE_PX];
      ctx.arc(x * TILE_PX + dx, y * TILE_PX + dy, 1 + 2.2 * speck(x, y, salt + 5), 0, 2 * Math.PI);
      ctx.fill();
    }
  }

  private ripples(ctx: Ctx, x: number, y: number): void {
    if (speck(x, y, 50) > 0.45) return;
    ctx.strokeStyle = '#6fb3d433';
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    const [dx, dy] = [x * TILE_PX + 6 + 8 * speck(x, y, 51), y * TILE_PX + 8 + 16 * speck(x, y, 52)];
    ctx.moveTo(dx, dy);
    ctx.quadraticCurveTo(dx + 5, dy - 4, dx + 10, dy);
    ctx.stroke();
  }

  private facets(ctx: Ctx, x: number, y: number): void {
    const [left, top] = [x * TILE_PX + 6 + 8 * speck(x, y, 60), y * TILE_PX + 6 + 8 * speck(x, y, 61)];
    ctx.fillStyle = speck(x, y, 62) > 0.5 ? '#ffffff0d' : '#00000026';
    ctx.beginPath();
    ctx.moveTo(left, top + 10);
    ctx.lineTo(left + 7, top);
    ctx.lineTo(left + 14, top + 7);
    ctx.lineTo(left + 9, top + 14);
    ctx.fill();
  }

  /** Tiles of a kind run together, with round corners where they end. */
  private blobs(ctx: Ctx, kind: number, fill: string, grow: number): void {
    ctx.fillStyle = fill;
    ctx.beginPath();
    this.tiles((x, y, own) => {
      if (own !== kind) return;
      const is = (dx: number, dy: number): boolean => this.at(x + dx, y + dy) === kind;
      const [north, south, west, east] = [is(0, -1), is(0, 1), is(-1, 0), is(1, 0)];
      const round = TILE_PX * 0.42;
      const corner = (a: boolean, b: boolean): number => (a || b ? 0 : round);
      const [left, top] = [x * TILE_PX - (west ? 1 : grow), y * TILE_PX - (north ? 1 : grow)];
      const [right, bottom] = [(x + 1) * TILE_PX + (east ? 1 : grow), (y + 1) * TILE_PX + (south ? 1 : grow)];
      const corners = [corner(north, west), corner(north, east), corner(south, east), corner(south, west)];
      ctx.roundRect(left, top, right - left, bottom - top, corners);
    });
    ctx.fill();
  }

  /** After a tick: what is seen now. */
  refreshFog(): void {
    const { scene, fogPixels } = this;
    const [width, height] = [this.fog.width, this.fog.height];
    const dark = [10, 13, 18] as const;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [inX, inY] = [Math.min(scene.width, Math.max(1, x)) - 1, Math.min(scene.height, Math.max(1, y)) - 1];
        const seen = scene.fog[inY * scene.width + inX] ?? 0;
        const at = 4 * (y * width + x);
        [fogPixels.data[at], fogPixels.data[at + 1], fogPixels.data[at + 2]] = dark;
        fogPixels.data[at + 3] = seen === 2 ? 0 : seen === 1 ? 120 : 244;
      }
    }
    this.fog.getContext('2d')!.putImageData(fogPixels, 0, 0);
  }

  draw(ctx: Ctx, camera: Camera): void {
    const corner = camera.pixelOfTile({ x: 0, y: 0 });
    ctx.fillStyle = UNSEEN;
    ctx.fillRect(0, 0, camera.width, camera.height);
    ctx.imageSmoothingEnabled = true;
    const [width, height] = [this.scene.width * camera.tilePx, this.scene.height * camera.tilePx];
    ctx.drawImage(this.picture, corner.x, corner.y, width, height);
    this.drawOre(ctx, camera);
  }

  private drawOre(ctx: Ctx, camera: Camera): void {
    const { from, to } = camera.shown();
    const { scene } = this;
    const size = camera.tilePx;
    ctx.lineWidth = 1;
    ctx.strokeStyle = OUTLINE;
    for (let y = Math.max(0, Math.floor(from.y)); y <= Math.min(scene.height - 1, to.y); y++) {
      for (let x = Math.max(0, Math.floor(from.x)); x <= Math.min(scene.width - 1, to.x); x++) {
        const ore = scene.oreAt(x, y);
        if (ore === 0 || scene.fogAt(x, y) === 0) continue;
        const place = camera.pixelOfTile({ x, y });
        const crystals = Math.min(CRYSTALS, Math.ceil(ore / CREDITS_A_CRYSTAL));
        for (let at = 0; at < crystals; at++) {
          const [dx, dy] = [0.2 + 0.6 * speck(x, y, 70 + at), 0.25 + 0.55 * speck(x, y, 80 + at)];
          const half = size * (0.1 + 0.07 * speck(x, y, 90 + at));
          crystal(ctx, place.x + dx * size, place.y + dy * size, half);
        }
      }
    }
  }

  drawFog(ctx: Ctx, camera: Camera): void {
    const corner = camera.pixelOfTile({ x: -1, y: -1 });
    ctx.imageSmoothingEnabled = true;
    ctx.drawImage(this.fog, corner.x, corner.y, this.fog.width * camera.tilePx, this.fog.height * camera.tilePx);
  }
}

function crystal(ctx: Ctx, x: number, y: number, half: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y - half * 1.4);
  ctx.lineTo(x + half, y);
  ctx.lineTo(x, y + half);
  ctx.lineTo(x - half, y);
  ctx.closePath();
  ctx.fillStyle = ORE;
  ctx.fill();
  if (half > 2.5) ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x, y - half * 1.4);
  ctx.lineTo(x + half * 0.4, y);
  ctx.lineTo(x, y + half);
  ctx.closePath();
  ctx.fillStyle = '#fff3';
  ctx.fill();
}
