/**
 * The game's own sounds, made as they are played. While a duel's link runs they go through the guard, a filter in the
 * audio thread that keeps them out of the peer's band; until it is there, nothing of them is heard.
 */
import type { FromGuard, ToGuard } from '../audio/protocol';
import { loadGuard, makeGuard } from '../audio/worklets';
import { Library } from '../wasm';
import { CHORD_S, CHORDS, RECIPES, type SoundName, type Voice } from './recipes';

export type { SoundName } from './recipes';

/** Voices at once; what would be more is left out. */
const VOICES_MAX = 16;
/** The same sound again is left out for so long: a battle fires more shots than an ear counts. */
const AGAIN_MS = 45;
const MASTER_GAIN = 0.5;
const MUSIC_GAIN = 0.06;
const REVERB_S = 2.5;
const NOISE_S = 1;

export class GameSounds {
  private context: AudioContext | null = null;
  private master: GainNode | null = null;
  /** Between the master and the speaker; null while nothing is. */
  private guard: AudioWorkletNode | null = null;
  private plan: number | null = null;
  /** Which call of `setLinkGuard` is the newest: an older one that comes back later does nothing. */
  private turn = 0;
  private muted = false;
  private voices = 0;
  private noise: AudioBuffer | null = null;
  private readonly played = new Map<SoundName, number>();
  private music: { gain: GainNode; send: GainNode; timer: ReturnType<typeof setTimeout> } | null = null;

  /** Makes or resumes the context: first in a tap, before the rig's. */
  unlock(): void {
    if (!this.context) {
      this.context = new AudioContext();
      this.master = new GainNode(this.context, { gain: this.muted ? 0 : MASTER_GAIN });
      this.route();
    }
    if (this.context.state !== 'running') void this.context.resume().catch(() => undefined);
  }

  /** A duel's link runs, or is being set up: no speech, no reverb, everything through the guard. */
  get linkMode(): boolean {
    return this.plan !== null;
  }

  /** Puts the guard for a plan in, or with null takes it out. Rejects if it cannot be had; sounds stay off then. */
  async setLinkGuard(plan: number | null): Promise<void> {
    const turn = ++this.turn;
    this.plan = plan;
    this.dropGuard();
    // Until the guard is there nothing is heard, rather than the peer be drowned.
    this.route();
    if (this.music) this.music.send.gain.value = plan === null ? 1 : 0;
    if (plan === null) return;
    globalThis.speechSynthesis?.cancel();
    const context = this.context;
    if (!context) return;
    const lib = await Library.load();
    await loadGuard(context);
    if (turn !== this.turn) return;
    const guard = makeGuard(context, lib, plan);
    guard.port.onmessage = ({ data }: MessageEvent<FromGuard>) => {
      if (data.t === 'fatal' && this.guard === guard) this.dropGuard();
    };
    guard.port.postMessage({ t: 'on', on: true } satisfies ToGuard);
    this.guard = guard;
    this.route();
  }

  setMuted(muted: boolean): void {
    this.muted = muted;
    if (this.master) this.master.gain.value = muted ? 0 : MASTER_GAIN;
  }

  /** Plays a sound, louder or quieter than it is and from the left (-1) to the right (1). */
  play(name: SoundName, { gain = 1, pan = 0 }: { gain?: number; pan?: number } = {}): void {
    const { context, master } = this;
    if (!context || !master || context.state !== 'running' || this.muted) return;
    const now = performance.now();
    if (now - (this.played.get(name) ?? -Infinity) < AGAIN_MS || this.voices >= VOICES_MAX) return;
    this.played.set(name, now);
    const place = new StereoPannerNode(context, { pan: Math.max(-1, Math.min(1, pan)) });
    place.connect(master);
    for (const voice of RECIPES[name]) this.sing(context, voice, gain, place);
  }

  startMusic(): void {
    const { context, master } = this;
    if (!context || !master || this.music) return;
    const gain = new GainNode(context, { gain: MUSIC_GAIN });
    const send = new GainNode(context, { gain: this.linkMode ? 0 : 1 });
    gain.connect(master);
    gain.connect(send).connect(reverb(context)).connect(master);
    const music = { gain, send, timer: setTimeout(() => undefined) };
    this.music = music;
    const next = (chord: number) => {
      for (const pitch of CHORDS[chord % CHORDS.length]!) swell(context, pitch, gain);
      music.timer = setTimeout(() => next(chord + 1), CHORD_S * 1000);
    };
    next(0);
  }

  stopMusic(): void {
    const { context, music } = this;
    if (!context || !music) return;
    this.music = null;
    clearTimeout(music.timer);
    music.gain.gain.setTargetAtTime(0, context.currentTime, 0.1);
    setTimeout(() => music.gain.disconnect(), 1000);
  }

  /** Joins the master with the speaker: straight, through the guard, or not at all. */
  private route(): void {
    const { context, master } = this;
    if (!context || !master) return;
    master.disconnect();
    if (this.plan === null) master.connect(context.destination);
    else if (this.guard) master.connect(this.guard).connect(context.destination);
  }

  private dropGuard(): void {
    const guard = this.guard;
    this.guard = null;
    guard?.disconnect();
    if (guard) this.route();
  }

  private sing(context: AudioContext, voice: Voice, loudness: number, to: AudioNode): void {
    const start = context.currentTime + (voice.at ?? 0);
    const end = start + voice.lasts;
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(voice.gain * loudness, start + 0.005);
    gain.gain.exponentialRampToValueAtTime(0.001, end);
    gain.connect(to);
    const source = this.source(context, voice, start, end, gain);
    this.voices++;
    source.onended = () => {
      this.voices--;
      gain.disconnect();
    };
    source.start(start);
    source.stop(end);
  }

  private source(context: AudioContext, voice: Voice, start: number, end: number, to: AudioNode): AudioScheduledSourceNode {
    if (voice.wave !== 'noise') {
      const tone = new OscillatorNode(context, { type: voice.wave, frequency: voice.from });
      tone.frequency.setValueAtTime(voice.from, start);
      tone.frequency.exponentialRampToValueAtTime(voice.to, end);
      tone.connect(to);
      return tone;
    }
    this.noise ??= whiteNoise(context);
    const noise = new AudioBufferSourceNode(context, { buffer: this.noise, loop: true });
    const filter = new BiquadFilterNode(context, { type: 'lowpass', frequency: voice.from });
    filter.frequency.setValueAtTime(voice.from, start);
    filter.frequency.exponentialRampToValueAtTime(voice.to, end);
    noise.connect(filter).connect(to);
    return noise;
  }
}

function whiteNoise(context: BaseAudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, NOISE_S * context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = 2 * Math.random() - 1;
  return buffer;
}

/** A hall, as noise that dies away. */
function reverb(context: BaseAudioContext): ConvolverNode {
  const buffer = context.createBuffer(2, REVERB_S * context.sampleRate, context.sampleRate);
  for (let channel = 0; channel < 2; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let index = 0; index < samples.length; index++) {
      samples[index] = (2 * Math.random() - 1) * (1 - index / samples.length) ** 3;
    }
  }
  return new ConvolverNode(context, { buffer });
}

/** One note of a chord, in and out over its whole length. */
function swell(context: AudioContext, pitch: number, to: AudioNode): void {
  const start = context.currentTime;
  const tone = new OscillatorNode(context, { type: 'sawtooth', frequency: pitch });
  const filter = new BiquadFilterNode(context, { type: 'lowpass', frequency: 600 });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.linearRampToValueAtTime(1, start + CHORD_S / 2);
  gain.gain.linearRampToValueAtTime(0, start + CHORD_S * 1.2);
  tone.connect(filter).connect(gain).connect(to);
  tone.onended = () => gain.disconnect();
  tone.start(start);
  tone.stop(start + CHORD_S * 1.25);
}
