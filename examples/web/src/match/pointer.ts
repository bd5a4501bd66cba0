/** Mouse and fingers on the map, as what they mean. One finger taps or pans, two zoom, a long press draws a box; a mouse
 * selects and boxes with its left button, orders with its right, and zooms with its wheel. */
import type { Place } from './scene';

export interface PointerWants {
  /** A tap or a left click. */
  tap(at: Place, how: { add: boolean; touch: boolean; twice: boolean }): void;
  /** A right click. */
  order(at: Place): void;
  box(from: Place, to: Place, add: boolean): void;
  /** A box being drawn, or no longer. */
  drawing(box: { from: Place; to: Place } | null): void;
  hover(at: Place | null): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Place): void;
  /** The next drag of a finger draws a box. */
  boxArmed(): boolean;
}

const DRAG_PX = { mouse: 5, touch: 11 };
const LONG_PRESS_MS = 420;
const TWICE_MS = 340;
const TWICE_PX = 28;

interface Held {
  start: Place;
  at: Place;
  what: 'undecided' | 'box' | 'pan';
  button: number;
}

export function listen(canvas: HTMLCanvasElement, wants: PointerWants): void {
  const held = new Map<number, Held>();
  let timer = 0;
  let last = { at: { x: -99, y: -99 }, when: 0 };

  const place = (event: MouseEvent): Place => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const finishBox = (): void => {
    window.clearTimeout(timer);
    wants.drawing(null);
  };

  canvas.addEventListener('pointerdown', (event) => {
    canvas.focus({ preventScroll: true });
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    const at = place(event);
    const mouse = event.pointerType === 'mouse';
    if (mouse && event.button === 2) return wants.order(at);
    const one: Held = { start: at, at, what: mouse && event.button === 1 ? 'pan' : 'undecided', button: event.button };
    held.set(event.pointerId, one);
    window.clearTimeout(timer);
    if (held.size > 1) {
      for (const other of held.values()) other.what = 'pan';
      wants.drawing(null);
    } else if (!mouse) {
      timer = window.setTimeout(() => {
        if (one.what !== 'undecided') return;
        one.what = 'box';
        wants.drawing({ from: one.start, to: one.at });
      }, LONG_PRESS_MS);
    }
  });

  canvas.addEventListener('pointermove', (event) => {
    const at = place(event);
    if (event.pointerType === 'mouse') wants.hover(at);
    const one = held.get(event.pointerId);
    if (!one) return;
    const moved = Math.hypot(at.x - one.start.x, at.y - one.start.y);
    const mouse = event.pointerType === 'mouse';
    if (one.what === 'undecided' && moved > (mouse ? DRAG_PX.mouse : DRAG_PX.touch)) {
      one.what = mouse || wants.boxArmed() ? 'box' : 'pan';
    }
    if (held.size === 2 && one.what === 'pan') pinch(one, at);
    else if (one.what === 'pan') wants.pan(at.x - one.at.x, at.y - one.at.y);
    one.at = at;
    if (one.what === 'box') wants.drawing({ from: one.start, to: at });
  });

  function pinch(one: Held, at: Place): void {
    const other = [...held.values()].find((held) => held !== one)!;
    const before = Math.hypot(one.at.x - other.at.x, one.at.y - other.at.y);
    const after = Math.hypot(at.x - other.at.x, at.y - other.at.y);
    const middle = { x: (at.x + other.at.x) / 2, y: (at.y + other.at.y) / 2 };
    if (before > 0 && after > 0) wants.zoom(after / before, middle);
    wants.pan((at.x - one.at.x) / 2, (at.y - one.at.y) / 2);
  }

  canvas.addEventListener('pointerup', (event) => {
    const one = held.get(event.pointerId);
    held.delete(event.pointerId);
    finishBox();
    if (!one) return;
    const at = place(event);
    if (one.what === 'box') return wants.box(one.start, at, event.shiftKey);
    if (one.what !== 'undecided' || one.button !== 0) return;
    const near = Math.hypot(at.x - last.at.x, at.y - last.at.y) < TWICE_PX;
    const twice = near && event.timeStamp - last.when < TWICE_MS;
    last = { at, when: twice ? 0 : event.timeStamp };
    wants.tap(at, { add: event.shiftKey, touch: event.pointerType !== 'mouse', twice });
  });

  canvas.addEventListener('pointercancel', (event) => {
    held.delete(event.pointerId);
    finishBox();
  });
  canvas.addEventListener('pointerleave', () => wants.hover(null));
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      if (event.shiftKey) wants.pan(-event.deltaY, 0);
      else wants.zoom(Math.exp(-event.deltaY * 0.0015), place(event));
    },
    { passive: false },
  );
}
