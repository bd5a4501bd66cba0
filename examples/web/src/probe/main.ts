/** The radio probe: measures what one phone hears of another, draws it, and saves it as a file. */
import '../styles/main.css';
import './probe.css';
import { bootAudioSession, whyNoSound } from '../audio';
import { button, el, saveFile, say, show } from '../ui/dom';
import { N } from '../wasm';
import { holes } from './holes';
import { Measurement, type Report } from './measurement';
import { Phone } from './phone';
import { bandsPlot, decayPlot, harmonicsPlot, responsePlot } from './plots';
import { writeWav, type Recording } from './wav';

/** A recording ends by itself after so long. */
const RECORD_MS = 30_000;
/** After a player says that it has ended, sound is still on its way through the devices and the room. */
const TAIL_MS = 700;

bootAudioSession();

class Probe {
  private phone: Phone | null = null;
  private last: Recording | null = null;
  private ending: (() => void) | null = null;
  /** Why this browser cannot measure; files it reads all the same. */
  private readonly whyNot = whyNoSound();
  private readonly status = el('p', { class: 'hint', role: 'status', 'data-testid': 'status' }, 'The microphone is closed.');
  private readonly result = el('section', { class: 'card wide', 'data-testid': 'result', hidden: true });
  private readonly mode = el('select', { id: 'mode' }, el('option', { value: String(N.MIC_RAW) }, 'raw: nothing processed'), el('option', { value: String(N.MIC_ECHO_CANCELLING) }, 'with echo cancellation'));
  private readonly buttons = {
    open: button('Open the microphone', () => this.run(() => this.open()), { id: 'open', class: 'primary' }),
    record: button('Record the other phone', () => this.run(() => this.record()), { id: 'record' }),
    play: button('Play for the other phone', () => this.run(() => this.play()), { id: 'play' }),
    self: button('Measure this phone by itself', () => this.run(() => this.self()), { id: 'self' }),
    stop: button('Stop recording', () => this.ending?.(), { id: 'stop', class: 'danger' }),
    save: button('Save the recording (WAV)', () => this.save(), { id: 'save-wav' }),
  };
  private readonly file = el('input', { type: 'file', accept: '.wav,audio/wav', id: 'file', onchange: () => this.run(() => this.read()) });

  constructor(
    place: HTMLElement,
    private readonly measurement: Measurement,
  ) {
    const { open, record, play, self, stop, save } = this.buttons;
    place.replaceChildren(
      el(
        'main',
        { class: 'page stack' },
        el('h1', {}, 'Radio probe'),
        el('p', { class: 'lead' }, 'What one phone hears of another: which bands carry, how long echoes last, what the speaker adds.'),
        el(
          'section',
          { class: 'card wide' },
          el('p', {}, 'Lay both phones flat, 10–30 cm apart, volume as you would play. On one tap “Record the other phone”, on the other “Play for the other phone”. Then swap.'),
          el('p', { class: 'noise' }, 'It plays eight seconds of noise and a sweep up to 20 kHz, loudly.'),
          el('label', { class: 'row' }, 'Microphone', this.mode),
          el('div', { class: 'pair' }, open, record, stop),
          el('div', { class: 'pair' }, play, self),
          this.status,
        ),
        this.result,
        el('section', { class: 'card wide' }, el('label', { class: 'row' }, 'Read a saved recording', this.file), save),
        el('p', { class: 'hint' }, 'The same file reads on a computer: sound-duel probe recording.wav. ', el('a', { href: './' }, 'Back to the game')),
      ),
    );
    if (this.whyNot) say(this.status, this.whyNot);
    this.note(false);
    window.addEventListener('pagehide', () => this.phone?.close());
  }

  /** Shows which taps make sense now. */
  private note(busy: boolean): void {
    const { open, record, play, self, stop, save } = this.buttons;
    const listens = this.phone?.listens ?? false;
    open.disabled = play.disabled = busy || this.whyNot !== null;
    record.disabled = self.disabled = busy || !listens;
    this.file.disabled = busy;
    save.disabled = this.last === null;
    show(stop, this.ending !== null);
  }

  private async run(what: () => Promise<void>): Promise<void> {
    this.note(true);
    try {
      await what();
    } catch (error) {
      say(this.status, error instanceof Error ? error.message : String(error));
    }
    this.note(false);
  }

  /** Closes what was open, and opens it anew: the microphone's way of working may be another. */
  private async open(): Promise<void> {
    this.phone?.close();
    this.phone = Phone.open('interactive');
    const told = await this.phone.listen(Number(this.mode.value));
    say(this.status, `Listening: ${told}`);
  }

  private async record(): Promise<void> {
    const phone = this.phone!;
    phone.record();
    say(this.status, 'Recording. Let the other phone play now; stop when it has ended.');
    await new Promise<void>((done) => {
      this.ending = done;
      this.note(true);
      setTimeout(done, RECORD_MS);
    });
    this.ending = null;
    this.tell(phone.stop(), null);
  }

  private async play(): Promise<void> {
    this.phone ??= Phone.open('interactive');
    await this.phone.context.resume();
    say(this.status, 'Playing…');
    await this.phone.play(this.measurement.signal(this.phone.context.sampleRate)).done;
    await new Promise((later) => setTimeout(later, TAIL_MS));
    say(this.status, 'Played. Stop recording on the other phone.');
  }

  private async self(): Promise<void> {
    const phone = this.phone!;
    phone.record();
    say(this.status, 'Playing and recording…');
    const { frame, done } = phone.play(this.measurement.signal(phone.context.sampleRate));
    await done;
    await new Promise((later) => setTimeout(later, TAIL_MS));
    const heard = phone.stop();
    this.tell(heard, (startsS) => heard.firstFrame + startsS * heard.rateHz - frame);
  }

  private async read(): Promise<void> {
    const file = this.file.files?.[0];
    if (file) this.tell(this.measurement.open(file.name, await file.arrayBuffer()), null);
  }

  /** Reads and shows a recording; `loop` says how many frames after it was played the signal was heard. */
  private tell(recording: Recording, loop: ((startsS: number) => number) | null): void {
    this.last = recording;
    say(this.status, 'Reading…');
    const gaps = holes(recording.samples, recording.rateHz);
    const report = this.measurement.read(recording.samples, recording.rateHz);
    say(this.status, 'Read.');
    const loopMs = loop ? (1000 * loop(report.starts_s)) / recording.rateHz : null;
    this.result.replaceChildren(...figures(report, loopMs, gaps.map((gap) => `${gap.lastsMs.toFixed(0)} ms at ${(gap.startsMs / 1000).toFixed(2)} s`)));
    show(this.result, true);
  }

  private save(): void {
    if (this.last) saveFile('measurement.wav', writeWav(this.last));
  }
}

function figures(report: Report, loopMs: number | null, gaps: string[]): HTMLElement[] {
  const db = (value: number) => `${value.toFixed(1)} dB`;
  const rows = report.links.map((link) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, `${link.plan} ${link.role}`),
      el('td', {}, `${khz(link.low_hz)}–${khz(link.high_hz)} kHz`),
      el('td', {}, db(link.snr_db)),
      el('td', { class: link.fast === 'works' ? 'good' : 'warn' }, link.fast),
      el('td', { class: link.robust === 'works' ? 'good' : 'warn' }, link.robust),
      el('td', { class: 'hint' }, link.limit),
    ),
  );
  const head = ['band', '', 'in its symbols', 'fast', 'robust', 'limited by'].map((name) => el('th', { scope: 'col' }, name));
  const table = el('table', { class: 'numbers' }, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows));
  const picture = (title: string, drawn: SVGSVGElement) => el('figure', {}, el('figcaption', {}, title), drawn);
  const lines = [
    `Recorder’s clock ${report.clock_ppm.toFixed(0)} ppm off the player’s; loudest sample ${(20 * Math.log10(report.peak)).toFixed(0)} dB of full scale.`,
    loopMs === null ? '' : `Round trip from this phone’s speaker to its own microphone: ${loopMs.toFixed(0)} ms.`,
    gaps.length === 0 ? 'No holes in the recording.' : `Holes in the recording: ${gaps.join(', ')}.`,
    report.cut_off_hz === null ? '' : `Nothing above ${khz(report.cut_off_hz)} kHz arrives: ${report.capture_hz === null ? 'filtered, or through a codec' : `captured at ${report.capture_hz} Hz`}.`,
    report.events.length === 0 ? '' : `Damage: ${report.events.map((event) => `${(event.lasts_s * 1000).toFixed(1)} ms ${event.kind} at ${event.at_s.toFixed(2)} s`).join(', ')}.`,
    `Echo later than ${report.forgiven_ms} ms: ${report.late_db.toFixed(1)} dB of all before.`,
  ];
  return [
    el('h2', {}, 'What it says'),
    el('div', { class: 'table' }, table),
    ...lines.filter(Boolean).map((line) => el('p', {}, line)),
    picture('Signal to noise by kilohertz: with late echo (bright), over noise alone (faint)', bandsPlot(report)),
    picture('Echo after the direct sound', decayPlot(report)),
    picture('Level by frequency', responsePlot(report)),
    picture('Harmonics of the other phone’s speaker', harmonicsPlot(report)),
  ];
}

const khz = (hz: number) => (hz / 1000).toFixed(1);

const place = document.querySelector<HTMLElement>('#app')!;
Measurement.load().then(
  (measurement) => void new Probe(place, measurement),
  (why: unknown) => (place.textContent = `The probe could not start: ${String(why)}`),
);
