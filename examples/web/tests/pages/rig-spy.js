/** Run before a page's own scripts: writes down what a rig does to the browser, and lets a test change what it gets. */
(() => {
  const log = [];
  const spy = {
    log,
    contexts: [],
    streams: [],
    /** What the next requests for the microphone fail with, by name; undefined: they do not. */
    refuse: [],
    /** Rates that the next contexts get. */
    rates: [],
    wakeLock: true,
    devices: null,
    /** The server has the worklets' files no more. */
    missing: false,
  };
  window.spy = spy;

  const Real = window.AudioContext;
  window.AudioContext = class extends Real {
    constructor(options) {
      const sampleRate = spy.rates.shift();
      super(sampleRate ? { ...options, sampleRate } : options);
      spy.contexts.push(this);
      log.push('context');
    }
    resume() {
      log.push('resume');
      return super.resume();
    }
    close() {
      log.push('close');
      return super.close();
    }
  };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...words) {
    log.push('play');
    return start.apply(this, words);
  };

  const add = AudioWorklet.prototype.addModule;
  AudioWorklet.prototype.addModule = function (url) {
    // As Chromium puts it when a script cannot be fetched.
    if (spy.missing) return Promise.reject(new DOMException("Unable to load a worklet's module.", 'AbortError'));
    return add.call(this, url);
  };

  let type = 'auto';
  Object.defineProperty(navigator, 'audioSession', {
    value: {
      get type() {
        return type;
      },
      set type(wanted) {
        type = wanted;
        log.push(`session ${wanted}`);
      },
    },
  });
  Object.defineProperty(navigator, 'wakeLock', {
    value: {
      request: async () => {
        log.push('wake lock');
        if (!spy.wakeLock) throw new DOMException('no', 'NotAllowedError');
        return { release: async () => log.push('wake lock released') };
      },
    },
  });

  const media = navigator.mediaDevices;
  const ask = media.getUserMedia.bind(media);
  media.getUserMedia = async (constraints) => {
    log.push(`microphone ${constraints.audio.echoCancellation ? 'ec' : 'raw'}`);
    const error = spy.refuse.shift();
    if (error) throw new DOMException('forced', error);
    const stream = await ask(constraints);
    spy.streams.push(stream);
    for (const track of stream.getTracks()) {
      const stop = track.stop.bind(track);
      track.stop = () => {
        log.push('microphone stopped');
        stop();
      };
    }
    return stream;
  };
  const enumerate = media.enumerateDevices.bind(media);
  media.enumerateDevices = async () => spy.devices ?? enumerate();
})();
