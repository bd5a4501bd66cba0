/** The page works without a network after one visit, and says when a newer version waits. */

/** What a player is told who has an older one. */
export const NEW_VERSION = 'A new version is ready: reload this phone (and your friend’s).';

/** How often an open page asks whether there is a newer version. */
const ASK_MS = 30 * 60_000;

/** Keeps everything on this phone. `onUpdate` is called when a newer version waits, with what takes it over. */
export function registerOffline(onUpdate: (reload: () => void) => void): void {
  // Where it is being developed, every file is to be the newest.
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  void start(onUpdate).catch(() => {
    // A certificate that the browser does not trust, or no storage: the page works, but only with a network.
  });
}

async function start(onUpdate: (reload: () => void) => void): Promise<void> {
  const registration = await navigator.serviceWorker.register('./sw.js');
  const waits = (worker: ServiceWorker) => {
    onUpdate(() => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      worker.postMessage('take-over');
    });
  };
  const watch = (worker: ServiceWorker | null) => {
    worker?.addEventListener('statechange', () => {
      // The first version of all waits for nobody.
      if (worker.state === 'installed' && navigator.serviceWorker.controller) waits(worker);
    });
  };
  if (registration.waiting && navigator.serviceWorker.controller) waits(registration.waiting);
  watch(registration.installing);
  registration.addEventListener('updatefound', () => watch(registration.installing));
  setInterval(() => void registration.update().catch(() => undefined), ASK_MS);
}

/** True once the page would open without a network: on a first visit a while later. Where nothing is kept it may never settle. */
export async function offlineReady(): Promise<boolean> {
  if (!('serviceWorker' in navigator)) return false;
  await navigator.serviceWorker.ready;
  return true;
}
