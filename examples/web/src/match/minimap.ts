/** The whole map in a corner, north up: ground, fog, dots in the sides' colours, and what is shown large. */
import { N } from '../wasm';
import type { Camera } from './camera';
import { ORE, SIDE, SIDE_LIGHT } from './colours';
import type { Ground } from './ground';
import type { Place, Scene } from './scene';

/** CSS pixels of the longer edge. */
const EDGE_PX = 152;

export class Minimap {
  readonly canvas = document.createElement('canvas');
  private readonly scale: number;
  private held = false;

  constructor(
    private readonly scene: Scene,
    private readonly ground: Ground,
    private readonly camera: Camera,
    /** The player points at a tile: to look there, or (`act`) to send units. */
    point: (tile: Place, act: boolean) => void,
  ) {
    this.scale = EDGE_PX / Math.max(scene.width, scene.height);
    const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
    this.canvas.width = Math.round(scene.width * this.scale * ratio);
    this.canvas.height = Math.round(scene.height * this.scale * ratio);
    this.canvas.className = 'minimap';
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', 'Map of the battlefield, north up');
    this.canvas.dataset.testid = 'minimap';
    const tile = (event: PointerEvent): Place => {
      const box = this.canvas.getBoundingClientRect();
      return {
        x: ((event.clientX - box.left) / box.width) * scene.width,
        y: ((event.clientY - box.top) / box.height) * scene.height,
      };
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.canvas.setPointerCapture(event.pointerId);
      this.held = event.button === 0;
      point(tile(event), event.button === 2);
    });
    this.canvas.addEventListener('pointermove', (event) => this.held && point(tile(event), false));
    this.canvas.addEventListener('pointerup', () => (this.held = false));
    this.canvas.addEventListener('pointercancel', () => (this.held = false));
    this.canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  draw(): void {
    const { scene, camera, canvas } = this;
    const ctx = canvas.getContext('2d')!;
    const scale = canvas.width / scene.width;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(this.ground.picture, 0, 0, canvas.width, canvas.height);
    ctx.scale(scale, scale);
    ctx.fillStyle = ORE;
    for (let y = 0; y < scene.height; y++) {
      for (let x = 0; x < scene.width; x++) {
        if (scene.oreAt(x, y) > 0 && scene.fogAt(x, y) > 0) ctx.fillRect(x + 0.1, y + 0.1, 0.8, 0.8);
      }
    }
    ctx.drawImage(this.ground.fog, -1, -1, scene.width + 2, scene.height + 2);
    for (const { side, tileX, tileY, tilesX, tilesY } of [...scene.remembered, ...scene.buildings]) {
      ctx.fillStyle = SIDE[side as 0 | 1];
      ctx.fillRect(tileX, tileY, tilesX, tilesY);
    }
    for (const { side, x, y } of scene.units) {
      ctx.fillStyle = side === scene.side ? SIDE_LIGHT[side as 0 | 1] : SIDE[side as 0 | 1];
      const half = Math.max(0.55, 1.6 / scale);
      ctx.fillRect(x / N.SUBS_PER_TILE - half, y / N.SUBS_PER_TILE - half, 2 * half, 2 * half);
    }
    const { from, to } = camera.shown();
    ctx.strokeStyle = '#fff';
    ctx.lineWidth = 1.5 / scale;
    ctx.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
  }
}
