/** Which part of the map is shown, north up: tiles on one side, pixels of the canvas on the other. */
import { N } from '../wasm';
import type { Place } from './scene';

const TILE_PX_MIN = 9;
const TILE_PX_MAX = 64;
/** How far past the map's edge the view may go, tiles: room for fingers and panels. */
const MARGIN_TILES = 3;

export class Camera {
  /** The middle of what is shown, tiles. */
  x = 0;
  y = 0;
  tilePx = 28;
  /** The canvas, CSS pixels. */
  width = 1;
  height = 1;

  constructor(
    private readonly mapWidth: number,
    private readonly mapHeight: number,
  ) {}

  resize(width: number, height: number): void {
    [this.width, this.height] = [width, height];
    this.clamp();
  }

  centre(tile: Place): void {
    [this.x, this.y] = [tile.x, tile.y];
    this.clamp();
  }

  /** Moves by pixels of the canvas. */
  pan(dx: number, dy: number): void {
    this.x -= dx / this.tilePx;
    this.y -= dy / this.tilePx;
    this.clamp();
  }

  /** Zooms by a factor, keeping what lies under `at`. */
  zoom(factor: number, at: Place): void {
    const under = this.tileAt(at);
    this.tilePx = Math.min(TILE_PX_MAX, Math.max(TILE_PX_MIN, this.tilePx * factor));
    this.x = under.x - (at.x - this.width / 2) / this.tilePx;
    this.y = under.y - (at.y - this.height / 2) / this.tilePx;
    this.clamp();
  }

  /** Brings a tile into view, with some room around it. */
  keep(tile: Place): void {
    const across = Math.max(1, this.width / this.tilePx / 2 - 2);
    const down = Math.max(1, this.height / this.tilePx / 2 - 2);
    this.x = Math.min(tile.x + across, Math.max(tile.x - across, this.x));
    this.y = Math.min(tile.y + down, Math.max(tile.y - down, this.y));
    this.clamp();
  }

  private clamp(): void {
    const limit = (at: number, size: number, pixels: number): number => {
      const half = pixels / this.tilePx / 2;
      const least = half - MARGIN_TILES;
      const most = size - half + MARGIN_TILES;
      return least > most ? size / 2 : Math.min(most, Math.max(least, at));
    };
    this.x = limit(this.x, this.mapWidth, this.width);
    this.y = limit(this.y, this.mapHeight, this.height);
  }

  /** The tile, with its fraction, under a pixel. */
  tileAt(at: Place): Place {
    return { x: this.x + (at.x - this.width / 2) / this.tilePx, y: this.y + (at.y - this.height / 2) / this.tilePx };
  }

  /** The position under a pixel, kept on the map. */
  subsAt(at: Place): Place {
    const tile = this.tileAt(at);
    const on = (value: number, size: number): number =>
      Math.floor(Math.min(size - 1 / N.SUBS_PER_TILE, Math.max(0, value)) * N.SUBS_PER_TILE);
    return { x: on(tile.x, this.mapWidth), y: on(tile.y, this.mapHeight) };
  }

  /** The pixel of a position. */
  pixel(at: Place): Place {
    return this.pixelOfTile({ x: at.x / N.SUBS_PER_TILE, y: at.y / N.SUBS_PER_TILE });
  }

  pixelOfTile(tile: Place): Place {
    return { x: (tile.x - this.x) * this.tilePx + this.width / 2, y: (tile.y - this.y) * this.tilePx + this.height / 2 };
  }

  /** The tiles shown: north-west and south-east corner. */
  shown(): { from: Place; to: Place } {
    return { from: this.tileAt({ x: 0, y: 0 }), to: this.tileAt({ x: this.width, y: this.height }) };
  }
}
