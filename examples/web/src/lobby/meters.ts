/** The link, both ways, as two bars and a line. */
import { N, type LinkStatus, type SessionStatus } from '../wasm';
import { attribute, el, mark, say } from '../ui/dom';

interface Meter {
  root: HTMLElement;
  bars: HTMLElement[];
  track: HTMLElement;
  words: HTMLElement;
}

function meter(label: string, testid: string): Meter {
  const bars = Array.from({ length: N.RX_QUALITY_MAX }, () => el('i'));
  const track = el('span', { class: 'bars', role: 'meter', 'aria-label': label, 'aria-valuemin': 0, 'aria-valuemax': N.RX_QUALITY_MAX }, ...bars);
  const words = el('span', { class: 'words' });
  const root = el('div', { class: 'meter-row', 'data-testid': testid }, el('span', { class: 'label' }, label), track, words);
  return { root, bars, track, words };
}

function fill({ bars, track, words }: Meter, value: number, text: string): void {
  bars.forEach((bar, at) => mark(bar, 'on', at < value));
  for (const [name, on] of [['weak', value < 2], ['fair', value >= 2 && value < 4], ['strong', value >= 4]] as const) mark(track, name, on);
  attribute(track, 'aria-valuenow', String(value));
  attribute(track, 'aria-valuetext', text);
  say(words, text);
}

export class Meters {
  readonly root: HTMLElement;
  private readonly heard = meter('You hear your friend', 'meter-heard');
  private readonly hears = meter('Your friend hears you', 'meter-hears');
  private readonly line = el('p', { class: 'hint numbers', 'data-testid': 'link-line' });

  constructor() {
    this.root = el('div', { class: 'meters' }, this.heard.root, this.hears.root, this.line);
  }

  update(session: SessionStatus, link: LinkStatus, gain: number, real: boolean): void {
    const packets = link.rxGood + link.rxBad;
    const good = packets > 0 ? `, ${Math.floor((100 * link.rxGood) / packets)}\u00a0% of packets good` : '';
    const level = Number.isNaN(link.snrDb) ? 'nothing yet' : `${Math.round(link.snrDb)} dB${good}`;
    fill(this.heard, session.rxQuality, level);
    const known = session.peerRxQuality !== N.NONE;
    fill(this.hears, known ? session.peerRxQuality : 0, known ? `${session.peerRxQuality} of ${N.RX_QUALITY_MAX}` : 'not known yet');
    const trip = session.roundTripUs < 0 ? '–' : `${Math.round(session.roundTripUs / 1000)}\u00a0ms`;
    const own = Number.isNaN(link.ownSnrDb) ? '–' : `${Math.round(link.ownSnrDb)}\u00a0dB`;
    const peak = Number.isNaN(link.inputPeak) ? '–' : `${Math.round(100 * link.inputPeak)}\u00a0%`;
    const sound = ` · own sound ${own} · microphone peak ${peak} · playing at ${Math.round(100 * gain)}\u00a0%`;
    say(this.line, `Round trip ${trip}${real ? sound : ''}`);
  }
}
