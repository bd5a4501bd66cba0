/** A measurement as pictures: bars and lines in SVG, in the page's own colours. */
import type { Report } from './measurement';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 46;
const RIGHT = 10;
const TOP = 12;
const BOTTOM = 34;

type Point = [x: number, y: number];

interface Axis {
  from: number;
  to: number;
  /** Where a line is drawn and a number written. */
  marks: number[];
  label: string;
}

function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>, text = ''): SVGElementTagNameMap[K] {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
}

/** A picture with its axes, and where on it a value lies. */
class Plot {
  readonly root: SVGSVGElement;

  constructor(
    says: string,
    private readonly x: Axis,
    private readonly y: Axis,
  ) {
    this.root = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': says, class: 'plot' });
    for (const mark of y.marks) {
      const at = this.down(mark);
      this.root.append(
        svg('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at, class: 'grid' }),
        svg('text', { x: LEFT - 6, y: at + 4, 'text-anchor': 'end' }, String(mark)),
      );
    }
    for (const mark of x.marks) {
      this.root.append(svg('text', { x: this.along(mark), y: HEIGHT - BOTTOM + 16, 'text-anchor': 'middle' }, String(mark)));
    }
    this.root.append(
      svg('text', { x: WIDTH - RIGHT, y: HEIGHT - 4, 'text-anchor': 'end' }, x.label),
      svg('text', { x: 4, y: TOP - 1 }, y.label),
    );
  }

  along(value: number): number {
    return LEFT + ((value - this.x.from) / (this.x.to - this.x.from)) * (WIDTH - LEFT - RIGHT);
  }

  down(value: number): number {
    const share = (Math.min(this.y.to, Math.max(this.y.from, value)) - this.y.from) / (this.y.to - this.y.from);
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
  }

  bar(from: number, to: number, value: number, name: string, says: string): void {
    const [left, right, top] = [this.along(from) + 1, this.along(to) - 1, this.down(value)];
    const bar = svg('rect', { x: left, width: right - left, y: top, height: HEIGHT - BOTTOM - top, class: name });
    bar.append(svg('title', {}, says));
    this.root.append(bar);
  }

  line(points: Point[], name: string): void {
    const path = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${this.along(x).toFixed(1)} ${this.down(y).toFixed(1)}`);
    this.root.append(svg('path', { d: path.join(''), class: name }));
  }

  /** A line across at a value of the x axis, with its name. */
  mark(at: number, name: string): void {
    const x = this.along(at);
    this.root.append(
      svg('line', { x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM, class: 'mark' }),
      svg('text', { x: x + 5, y: TOP + 12, class: 'mark-name' }, name),
    );
  }
}

const khz = (hz: number) => hz / 1000;
const every = (from: number, to: number, step: number) => Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

/** Signal over everything else, and over noise alone, by kilohertz. */
export function bandsPlot({ bands }: Report): SVGSVGElement {
  const plot = new Plot(
    'Signal to noise by frequency',
    { from: 4, to: 20, marks: every(4, 20, 2), label: 'kHz' },
    { from: 0, to: 70, marks: every(0, 70, 10), label: 'dB' },
  );
  for (const band of bands) {
    const from = khz(band.low_hz);
    const says = `${from}–${from + 1} kHz: ${band.snr_db.toFixed(1)} dB, ${band.noise_snr_db.toFixed(1)} dB over noise alone`;
    plot.bar(from, from + 1, band.noise_snr_db, 'noise-bar', says);
    plot.bar(from, from + 1, band.snr_db, 'snr-bar', says);
  }
  return plot.root;
}

/** How echo dies away, against what the link's windows forgive. */
export function decayPlot({ decay, floor_db, forgiven_ms }: Report): SVGSVGElement {
  const last = Math.max(40, ...decay.map(([ms]) => ms));
  const plot = new Plot(
    'Echo by delay',
    { from: 0, to: last, marks: every(0, last, 20), label: 'ms after the direct sound' },
    { from: -60, to: 0, marks: every(-60, 0, 10), label: 'dB' },
  );
  plot.line([[0, floor_db], [last, floor_db]], 'floor-line');
  plot.line(decay, 'decay-line');
  plot.mark(forgiven_ms, `the link forgives ${forgiven_ms} ms`);
  return plot.root;
}

/** How loud each frequency arrives. */
export function responsePlot({ response }: Report): SVGSVGElement {
  const heard = response.filter(([hz]) => hz >= 1000 && hz <= 20_000).map(([hz, db]): Point => [khz(hz), db]);
  const loudest = Math.max(...heard.map(([, db]) => db));
  const plot = new Plot(
    'Level by frequency',
    { from: 1, to: 20, marks: every(2, 20, 2), label: 'kHz' },
    { from: -60, to: 0, marks: every(-60, 0, 10), label: 'dB' },
  );
  plot.line(heard.map(([x, y]): Point => [x, y - loudest]), 'response-line');
  return plot.root;
}

/** What the speaker adds: overtones against the tone. */
export function harmonicsPlot({ harmonics }: Report): SVGSVGElement {
  const plot = new Plot(
    'Harmonics',
    { from: 1.5, to: 5.5, marks: harmonics.map(({ order }) => order), label: 'times the tone' },
    { from: -90, to: 0, marks: every(-90, 0, 30), label: 'dB' },
  );
  for (const { order, level_db } of harmonics) {
    plot.bar(order - 0.3, order + 0.3, level_db, 'snr-bar', `${order} times: ${level_db.toFixed(0)} dB`);
  }
  return plot.root;
}
