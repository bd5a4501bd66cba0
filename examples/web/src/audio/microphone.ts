/** Asks for the microphone, in the way that lets the modem's bands through. */
import { N } from '../wasm';

/** A microphone that was given. */
export interface Microphone {
  stream: MediaStream;
  track: MediaStreamTrack;
  /** Its own rate, where the browser tells, or 0. */
  rateHz: number;
  /** What was asked for could not be had, and something else was taken: a sentence for the log, or ''. */
  note: string;
}

/** Refused by a person or by the system; anything else means that there is none to be had. */
const REFUSED = ['NotAllowedError', 'SecurityError'];

function constraints(echoCancellation: boolean): MediaStreamConstraints {
  return {
    audio: { echoCancellation, noiseSuppression: false, autoGainControl: false, channelCount: { ideal: 1 } },
  };
}

/**
 * A microphone in this mode. Where one without echo cancellation cannot be had, one with it is taken and the note says
 * so: what it lets through shows in the modem's own signal.
 */
export async function askMicrophone(mode: number): Promise<Microphone> {
  const raw = mode === N.MIC_RAW;
  try {
    return opened(await navigator.mediaDevices.getUserMedia(constraints(!raw)), raw, '');
  } catch (why) {
    if (!raw || isRefusal(why)) throw why;
    const stream = await navigator.mediaDevices.getUserMedia(constraints(true));
    return opened(stream, raw, `The microphone would not open without echo cancellation (${String(why)}).`);
  }
}

export function isRefusal(why: unknown): boolean {
  return why instanceof DOMException && REFUSED.includes(why.name);
}

function opened(stream: MediaStream, raw: boolean, note: string): Microphone {
  const track = stream.getAudioTracks()[0];
  if (!track) throw new DOMException('a stream without a microphone', 'NotFoundError');
  const settings = track.getSettings();
  const kept = ([['echoCancellation', raw], ['noiseSuppression', true], ['autoGainControl', true]] as const)
    .filter(([name, off]) => off && settings[name] === true)
    .map(([name]) => name);
  const processed = kept.length > 0 && note === '' ? `The browser keeps on: ${kept.join(', ')}.` : note;
  return { stream, track, rateHz: settings.sampleRate ?? 0, note: processed };
}
