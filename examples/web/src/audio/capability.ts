/** Whether this browser can duel by sound, and what the phone's audio session is told. */

/** Why this browser cannot, as a sentence; null if it can. */
export function whyNoSound(): string | null {
  if (!window.isSecureContext) return 'The microphone needs a secure page: open this one over https.';
  if (typeof AudioContext === 'undefined' || typeof AudioWorkletNode === 'undefined') {
    return 'This browser has no AudioWorklet: update it, or use another one.';
  }
  if (typeof navigator.mediaDevices?.getUserMedia !== 'function') return 'This browser gives pages no microphone.';
  if (typeof WebAssembly === 'undefined') return 'This browser has no WebAssembly: update it, or use another one.';
  return null;
}

type SessionType = 'auto' | 'play-and-record';

/** Safari's audio session, where there is one. It outlives the page, so every boot sets it back. */
export function setAudioSession(type: SessionType): void {
  const session = (navigator as { audioSession?: { type: string } }).audioSession;
  if (!session) return;
  try {
    session.type = type;
  } catch {
    // Only a hint: sound may still work without.
  }
}

/** At every boot: Safari keeps the type across reloads, while the new page reads "auto". */
export function bootAudioSession(): void {
  setAudioSession('auto');
}

/** Tells at once when the page is hidden or about to go. */
export function watchVisibility(onHidden: () => void): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') onHidden();
  });
  window.addEventListener('pagehide', onHidden);
}
