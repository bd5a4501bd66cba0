/** The sheet from the Duel tap to GO: opening, choosing, the self-test, the lobby's steps, and every error. */
import { N, type Library } from '../wasm';
import type { App } from '../app/app';
import type { Duel, Offer } from '../app/duel';
import type { SelfTest } from '../app/self-test';
import { button, el, say, show, trapFocus } from '../ui/dom';
import { aboutOpener, AUTO_LOCK, BANDS, mapName, mutatorList, NOISE, PLACEMENT, planName, TIPS } from '../ui/words';
import { SIDE_NAMES } from '../match/colours';
import { Meters } from './meters';
import { advancedSettings, matchSettings } from './setup';

const HINTS = {
  sound: 'One phone hosts, the other joins.',
  loop: 'The computer takes the other phone’s place.',
  relay: 'Open this page twice: one hosts, the other joins.',
} as const;

type Block = 'opening' | 'failed' | 'choose' | 'selftest' | 'lobby';

export class Sheet {
  readonly root: HTMLElement;
  private readonly blocks: Record<Block, HTMLElement>;
  private readonly title = el('h1', {}, 'Sound Duel');
  private readonly noise = el('p', { class: 'noise', role: 'note', 'data-testid': 'noise' }, '⚠️ ', NOISE);
  private readonly note = el('p', { class: 'hint', 'data-testid': 'medium' });
  private readonly failed = { why: el('h2', { 'data-testid': 'failure' }), advice: el('p', { 'data-testid': 'advice' }) };
  private readonly failedReload: HTMLButtonElement;
  private readonly test = { band: el('h2'), numbers: el('p', { class: 'numbers' }), verdict: el('p', { class: 'verdict', role: 'status', 'data-testid': 'verdict' }) };
  private readonly meters = new Meters();
  private readonly heading = el('h2', { 'data-testid': 'lobby-heading' });
  private readonly what = el('p', { class: 'what', 'data-testid': 'what' });
  private readonly step = el('p', { class: 'step', role: 'status', 'data-testid': 'step' });
  private readonly warning = el('p', { class: 'warn', role: 'status', 'data-testid': 'warning' });
  private readonly openers = el('div', { class: 'openers', role: 'group', 'aria-label': 'Openers' });
  private readonly hint = el('p', { class: 'warn', 'data-testid': 'hint' });
  private readonly offer = el('div', { class: 'offer', 'data-testid': 'offer' });
  private readonly offerWhy = el('p', { class: 'warn' });
  private readonly buttons: Record<'switchRole' | 'plan' | 'role' | 'retry' | 'cancel', HTMLButtonElement>;
  private readonly lock = el('p', { class: 'warn', 'data-testid': 'auto-lock' }, AUTO_LOCK);
  private openersShown = '';
  private focused: Block | null = null;

  constructor(
    private readonly app: App,
    private readonly lib: Library,
    reload: () => void,
  ) {
    this.failedReload = button('Reload', reload, { id: 'reload' });
    this.buttons = {
      switchRole: button('', () => app.leaveFor({ to: 'role' }), { id: 'switch-role' }),
      plan: button('', () => this.takePlan(), { id: 'fall-back', class: 'primary' }),
      role: button('Switch roles: tell your friend to do the same', () => app.leaveFor({ to: 'role' }), { id: 'offer-role' }),
      retry: button('Try again', () => app.duel?.session.retry(app.now()), { id: 'retry', class: 'primary' }),
      cancel: button('Cancel', () => app.leaveFor({ to: 'menu' }), { id: 'cancel' }),
    };
    this.blocks = {
      opening: el('div', {}, el('p', { class: 'step', role: 'status', 'data-testid': 'opening' }, 'Opening the microphone and the speaker…'), button('Cancel', () => app.silence(), { id: 'cancel-opening' })),
      failed: el('div', { role: 'alert' }, this.failed.why, this.failed.advice, el('div', { class: 'pair' }, button('Close', () => app.silence(), { id: 'close', class: 'primary' }), this.failedReload)),
      choose: this.chooseBlock(),
      selftest: el('div', { 'data-testid': 'self-test' }, this.test.band, this.test.numbers, this.test.verdict, button('Back', () => app.back(), { id: 'self-test-back' })),
      lobby: this.lobbyBlock(),
    };
    const card = el('div', { class: 'card sheet-card' }, this.title, this.noise, this.note, ...Object.values(this.blocks));
    this.root = el('main', { class: 'screen sheet', 'data-testid': 'sheet' }, card);
    trapFocus(card);
  }

  private chooseBlock(): HTMLElement {
    const { app } = this;
    const host = button('Host', () => app.begin(N.ROLE_HOST), { id: 'host', class: 'primary big' });
    const join = button('Join', () => app.begin(N.ROLE_GUEST), { id: 'join', class: 'primary big' });
    const back = button('Cancel', () => app.silence(), { id: 'cancel-choose' });
    const live = app.params.mode === 'sound';
    const wants = { mic: (mode: number) => app.setMicMode(mode), selfTest: (role: number) => app.selfTest(role) };
    const placement = live ? el('p', { class: 'placement', 'data-testid': 'placement' }, PLACEMENT) : null;
    const roles = el('div', { class: 'roles' }, host, join);
    const first = el('div', { class: 'part' }, placement, roles, el('p', { class: 'hint' }, HINTS[app.params.mode]));
    const settings = el('div', { class: 'part' }, matchSettings(this.lib, app.want), live ? advancedSettings(app.want, wants) : null, back);
    return el('div', { 'data-testid': 'choose', class: 'parts' }, first, settings);
  }

  private lobbyBlock(): HTMLElement {
    const { switchRole, plan, role, retry, cancel } = this.buttons;
    this.offer.append(this.offerWhy, el('div', { class: 'stack' }, plan, role));
    const link = el('div', { class: 'part' }, this.heading, this.what, this.meters.root);
    const steps = el('div', { class: 'part' }, this.step, this.openers, this.hint, switchRole, retry, this.warning, this.offer, this.lock, cancel);
    return el('div', { 'data-testid': 'lobby', class: 'parts' }, link, steps);
  }

  private takePlan(): void {
    const plan = this.app.duel?.offer(this.app.now())?.plan;
    if (plan !== null && plan !== undefined) this.app.leaveFor({ to: 'plan', plan });
  }

  update(now: number): void {
    const { stage, medium, params } = this.app;
    const block: Block = stage.kind === 'duel' ? 'lobby' : stage.kind === 'menu' ? 'opening' : stage.kind;
    for (const [name, root] of Object.entries(this.blocks)) show(root, name === block);
    show(this.noise, params.mode === 'sound');
    show(this.note, params.mode !== 'sound');
    say(this.note, medium?.note ?? '');
    if (stage.kind === 'failed') {
      say(this.failed.why, stage.failure.message);
      say(this.failed.advice, stage.failure.advice);
      show(this.failedReload, stage.reload);
    }
    if (stage.kind === 'selftest') this.updateTest(stage.test, now);
    if (stage.kind === 'duel') this.updateLobby(stage.duel, now);
    if (block !== this.focused) {
      this.focused = block;
      window.scrollTo(0, 0);
      this.blocks[block].querySelector<HTMLElement>('.primary:not([hidden])')?.focus({ preventScroll: true });
    }
  }

  private updateTest(test: SelfTest, now: number): void {
    const { status } = test;
    const verdict = test.verdict(now);
    say(this.test.band, `Self-test, ${BANDS[`${status.plan}${this.app.want.role}`] ?? ''}`);
    const level = test.snrDb === null ? '–' : `${Math.round(test.snrDb)} dB`;
    const delay = Number.isNaN(status.loopbackMs) ? '–' : `${Math.round(status.loopbackMs)} ms`;
    say(this.test.numbers, `${status.rxGood} good packets, ${status.rxBad} bad · level ${level} · delay ${delay}`);
    const words =
      verdict === null
        ? 'Listening to this phone’s own packets…'
        : verdict
          ? 'This phone hears itself well: speaker, microphone and band work.'
          : 'This phone does not hear itself. Turn the volume up, unplug headphones, or try the other band.';
    say(this.test.verdict, words);
    this.test.verdict.dataset.well = String(verdict);
  }

  private updateLobby(duel: Duel, now: number): void {
    const { status, linkStatus, want } = duel;
    const real = this.app.medium?.real ?? false;
    const host = want.role === N.ROLE_HOST;
    const plan = linkStatus.detectedPlan < 0 && !host && real ? 'finding the band' : `band ${planName(linkStatus.plan)}`;
    say(this.heading, `${duel.rematch ? 'Rematch: you' : 'You'} ${host ? 'host' : 'join'}, ${plan}`);
    const known = status.offered === 1 || host;
    const [map, mutators] = status.offered === 1 ? [status.offerMap, status.offerMutators] : [want.map, want.mutators];
    const side = status.localSide >= 0 ? `, you play ${SIDE_NAMES[status.localSide as 0 | 1]}` : '';
    show(this.what, known);
    if (known) say(this.what, `${mapName(this.lib, map)}, ${mutatorList(this.lib, mutators)}${side}`);
    this.meters.update(status, linkStatus, duel.gain, real);
    say(this.step, stepWords(this.lib, duel));
    this.updateOpeners(duel);
    this.updateHints(duel, now);
    show(this.buttons.retry, !duel.going && status.pairing === N.PAIRING_OTHER_VERSION);
    show(this.buttons.cancel, !duel.going);
    const warning = real ? warningWords(duel) : null;
    const refused = status.offerRefused === 1 ? status.problemText : null;
    show(this.warning, (warning ?? refused) !== null);
    say(this.warning, refused ?? warning ?? '');
    show(this.lock, this.app.medium?.status()?.warnsOfAutoLock === 1);
  }

  private updateOpeners(duel: Duel): void {
    const picking = !duel.going && duel.status.phase === N.PHASE_LOBBY && duel.status.pairing === N.PAIRING_PICKING;
    const mask = picking ? duel.session.openers() : 0;
    const key = `${mask}`;
    if (key !== this.openersShown) {
      this.openersShown = key;
      this.openers.replaceChildren(
        ...this.lib.names(N.NAMES_OPENERS).flatMap((name, index) => {
          if (((mask >> index) & 1) === 0) return [];
          const card = button(el('span', {}, el('strong', {}, name), el('small', {}, aboutOpener(name))), () => duel.session.pick(index), { class: 'opener', testid: `opener-${name}` });
          card.dataset.opener = String(index);
          return [card];
        }),
      );
      if (mask !== 0) this.openers.querySelector('button')?.focus({ preventScroll: true });
    }
    show(this.openers, mask !== 0);
  }

  private updateHints(duel: Duel, now: number): void {
    const { status, want } = duel;
    const free = duel.mayChange() && !duel.rematch;
    const tips = status.hint === N.HINT_TIPS;
    const quiet = free && (status.hint === N.HINT_SWITCH_ROLE || tips);
    show(this.hint, status.phase === N.PHASE_LOBBY && (quiet || tips));
    say(this.hint, tips ? TIPS : 'Nothing heard yet. One phone hosts, the other joins.');
    const offer = duel.offer(now);
    show(this.buttons.switchRole, quiet && !offer);
    say(this.buttons.switchRole, want.role === N.ROLE_HOST ? 'Join instead' : 'Host instead');
    this.updateOffer(offer);
  }

  private updateOffer(offer: Offer | null): void {
    show(this.offer, offer !== null);
    if (!offer) return;
    say(this.offerWhy, offer.reason);
    show(this.buttons.plan, offer.plan !== null);
    if (offer.plan !== null) say(this.buttons.plan, `Switch to band ${planName(offer.plan)}`);
    show(this.buttons.role, offer.role);
  }
}

function openerName(lib: Library, opener: number): string {
  return opener < 0 ? 'no opener' : (lib.name(N.NAMES_OPENERS, opener) ?? 'no opener');
}

/** Where the lobby stands, in words. */
function stepWords(lib: Library, { going, status, want, agreed }: Duel): string {
  if (going) return 'Saying goodbye…';
  if (status.phase === N.PHASE_READY || agreed) return 'Starting…';
  switch (status.pairing) {
    case N.PAIRING_LISTENING:
    case N.PAIRING_FAILED:
      return want.role === N.ROLE_HOST ? 'Waiting for a friend who joins…' : 'Listening for a friend who hosts…';
    case N.PAIRING_MEASURING:
      return 'Your friend is there. Measuring the link…';
    case N.PAIRING_PICKING:
      return `Pick your opener (${Math.ceil(Math.max(0, status.pickLeftMs) / 1000)} s)`;
    case N.PAIRING_PICKED:
      return `You picked ${openerName(lib, status.ownPick)}. Waiting for your friend to pick…`;
    case N.PAIRING_OTHER_VERSION:
      return versionWords(status.builds, status.versionAge);
    default:
      return 'Starting…';
  }
}

function versionWords(builds: readonly number[], age: number): string {
  const [own, theirs] = builds.map((build) => build.toString(16).toUpperCase().padStart(4, '0'));
  const older = age < 0 ? ' This phone’s is the older one.' : age > 0 ? ' Your friend’s is the older one.' : '';
  return `The phones run different versions of the game (${own} here, ${theirs} there).${older} Reload the page on both.`;
}

/** The route check or the loud own signal, never both. */
function warningWords(duel: Duel): string | null {
  const advised = duel.advised();
  if (!advised) return null;
  if (advised.routeText !== '') return advised.routeText;
  if (advised.loud === 0 && duel.gain >= 1) return null;
  const percent = Math.round(100 * duel.gain);
  return `This phone’s own sound is too loud at its microphone: it plays at ${percent} % now. Turn the volume down a little.`;
}
