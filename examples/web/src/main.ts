/** The page's start: the library, the app, the screens, and the loop that drives them. */
import './styles/main.css';
import { bootAudioSession, watchVisibility, whyNoSound } from './audio';
import { offlineReady, registerOffline } from './offline';
import { GameSounds } from './sound';
import { Library, N } from './wasm';
import { App } from './app/app';
import { expose } from './app/debug';
import { LiveMedium } from './app/live';
import { readParams } from './app/params';
import { loadMuted, saveMuted } from './app/store';
import { LoopMedium } from './practice/loop';
import { PRACTICE_NOTE } from './practice/medium';
import { RelayMedium } from './practice/relay';
import { Shell } from './ui/shell';

/** A session wants to be pumped at least this often, whether or not anything is drawn. */
const PUMP_EVERY_MS = 40;

// Before any audio context: Safari keeps the type that an earlier page of the tab had set.
bootAudioSession();

async function start(place: HTMLElement): Promise<void> {
  const lib = await Library.load();
  const params = readParams(location.search, lib.names(N.NAMES_MUTATORS));
  const sounds = new GameSounds();
  const app = new App(lib, params, {
    openMedium: ({ seed, want }) => {
      sounds.unlock();
      sounds.stopMusic();
      if (params.mode === 'loop') return new LoopMedium(lib, params, seed);
      if (params.mode === 'relay') return new RelayMedium(lib, params, seed);
      return new LiveMedium(lib, want.micMode, params.latencyHint);
    },
    guard: (plan) => {
      if (plan === null) sounds.startMusic();
      sounds.setLinkGuard(plan).catch((why: unknown) => console.warn('The game’s own sounds stay off:', why));
    },
    notice: (text) => shell.notice(text),
  });
  let offline = false;
  const whyNot = params.mode === 'sound' ? whyNoSound() : null;
  const note = params.mode === 'sound' ? null : PRACTICE_NOTE;
  const shell = new Shell(
    place,
    lib,
    app,
    sounds,
    {
      duel: () => app.open(),
      practice: () => location.assign(practiceAddress()),
      mute: (muted) => {
        sounds.setMuted(muted);
        saveMuted(muted);
      },
      whyNot: () => whyNot,
      offline: () => offline,
    },
    note,
  );
  sounds.setMuted(loadMuted());
  // Browsers let nothing sound before a touch; the menu's music begins with the first.
  place.addEventListener('pointerdown', () => {
    sounds.unlock();
    if (app.stage.kind === 'menu') sounds.startMusic();
  }, { once: true });
  expose(app, () => shell.match);
  watchVisibility(() => app.hidden());
  registerOffline((reload) => shell.offerUpdate(reload));
  void offlineReady().then((ready) => (offline = ready));
  drive(app, shell);
}

const practiceAddress = (): string => `${location.pathname}?duel=loop`;

/** Draws with the screen, and keeps time where nothing is drawn. */
function drive(app: App, shell: Shell): void {
  let drawnAt = 0;
  const step = (draw: boolean): void => {
    app.tick();
    shell.update(draw);
  };
  const frame = (): void => {
    drawnAt = performance.now();
    requestAnimationFrame(frame);
    step(true);
  };
  requestAnimationFrame(frame);
  setInterval(() => {
    if (performance.now() - drawnAt > PUMP_EVERY_MS) step(false);
  }, PUMP_EVERY_MS);
}

const place = document.getElementById('app')!;
start(place).catch((why: unknown) => {
  console.error(why);
  const words = document.createElement('p');
  words.className = 'fatal';
  words.setAttribute('role', 'alert');
  words.textContent = `Sound Duel could not start: ${why instanceof Error ? why.message : String(why)}`;
  place.replaceChildren(words);
});
