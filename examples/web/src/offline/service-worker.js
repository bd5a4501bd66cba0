// @ts-nocheck
/**
 * Keeps the whole game on the phone: everything is fetched once, and from then on it needs no network.
 *
 * The build fills in the version, made of the files' contents, and the list. A new version is fetched whole beside the
 * old one and waits until the page says that it may take over, so that a match never mixes two.
 */
const VERSION = '__VERSION__';
const FILES = ['__FILES__'];
const CACHE = `sound-duel-${VERSION}`;

self.addEventListener('install', (event) => {
  // Past the browser's own cache: a file of the version before under the same name would be kept for ever.
  const fresh = FILES.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith('sound-duel-') && name !== CACHE))
      .then((old) => Promise.all(old.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('message', (event) => {
  if (event.data === 'take-over') self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(
    caches
      .open(CACHE)
      // `?duel=loop` and its like are the same page.
      .then((cache) => cache.match(request, { ignoreSearch: true }))
      .then((kept) => kept ?? fetch(request)),
  );
});
