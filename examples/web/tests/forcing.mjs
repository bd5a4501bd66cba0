/** What goes wrong on phones, made to happen in a page: scripts to be run before the page's own. */

/** The microphone is refused, or there is none. */
export const microphoneFails = (name) =>
  `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('planted', ${JSON.stringify(name)}));`;

/** The device runs at a rate that carries nothing, whoever asks. */
export const LOW_RATE = `{
  const Real = AudioContext;
  globalThis.AudioContext = class extends Real { constructor(options) { super({ ...options, sampleRate: 16000 }); } };
}`;

export const NO_MICROPHONES = `Object.defineProperty(navigator, 'mediaDevices', { value: undefined });`;
export const NO_WORKLETS = `delete globalThis.AudioWorkletNode;`;

/** The phone's speaker is heard by its own microphone, so many times as loud: a phone alone on a table. */
export const hearsItself = (gain) => `{
  const connect = AudioNode.prototype.connect;
  const rooms = new Map();
  const room = (context) => {
    if (!rooms.has(context)) {
      const microphone = context.createMediaStreamDestination();
      const air = new GainNode(context, { gain: ${gain} });
      connect.call(air, microphone);
      rooms.set(context, { microphone, air });
    }
    return rooms.get(context);
  };
  AudioNode.prototype.connect = function (to, ...rest) {
    const made = connect.call(this, to, ...rest);
    if (to === this.context.destination) connect.call(this, room(this.context).air);
    return made;
  };
  let newest = null;
  const Real = AudioContext;
  globalThis.AudioContext = class extends Real { constructor(options) { super(options); newest = this; } };
  navigator.mediaDevices.getUserMedia = async () => {
    const [track] = room(newest).microphone.stream.getAudioTracks();
    const stream = new MediaStream([track.clone()]);
    globalThis.microphones = [...(globalThis.microphones ?? []), stream.getAudioTracks()[0]];
    return stream;
  };
}`;

/** The modem's script is no longer on the server. */
export const NO_MODEM_FILE = `{
  const add = AudioWorklet.prototype.addModule;
  AudioWorklet.prototype.addModule = function (url) {
    return /pump/.test(url) ? Promise.reject(new DOMException('planted', 'AbortError')) : add.call(this, url);
  };
}`;

/** The modem's processor is handed nonsense after 300 blocks, while `planted` is true. */
export const FAILING_PROCESSOR = `{
  globalThis.planted = true;
  const wrapper = \`{
    const register = globalThis.registerProcessor;
    globalThis.registerProcessor = (name, Processor) => register(name, class extends Processor {
      process(...blocks) {
        this.blocks = (this.blocks ?? 0) + 1;
        return this.blocks > 300 ? super.process(null, null) : super.process(...blocks);
      }
    });
  }\`;
  const add = AudioWorklet.prototype.addModule;
  AudioWorklet.prototype.addModule = async function (url) {
    if (globalThis.planted && /pump/.test(url)) await add.call(this, URL.createObjectURL(new Blob([wrapper], { type: 'text/javascript' })));
    return add.call(this, url);
  };
}`;
