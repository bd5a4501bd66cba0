/** Keeps the screen on, and knows where that only seems to work. */

/** iOS Home Screen apps before this version resolve the request and lock the screen all the same (WebKit bug 254545). */
const HOME_SCREEN_WORKS = [18, 4] as const;

export class WakeLock {
  private sentinel: WakeLockSentinel | null = null;
  private wanted = false;

  /** Asks for it; true if the screen will stay on. */
  async request(): Promise<boolean> {
    this.wanted = true;
    if (!('wakeLock' in navigator)) return false;
    try {
      const sentinel = await navigator.wakeLock.request('screen');
      void this.sentinel?.release();
      this.sentinel = sentinel;
      // Let go while it was being granted.
      if (!this.wanted) this.release();
      return this.wanted && !onlySeems(navigator.userAgent, isHomeScreenApp());
    } catch {
      return false;
    }
  }

  release(): void {
    this.wanted = false;
    void this.sentinel?.release();
    this.sentinel = null;
  }
}

function isHomeScreenApp(): boolean {
  return (navigator as { standalone?: boolean }).standalone === true;
}

/** Whether a wake lock granted here keeps no screen on. */
export function onlySeems(userAgent: string, homeScreen: boolean): boolean {
  const version = /(?:iPhone|iPad|iPod).* OS (\d+)_(\d+)/.exec(userAgent);
  if (!version || !homeScreen) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major < HOME_SCREEN_WORKS[0] || (major === HOME_SCREEN_WORKS[0] && minor < HOME_SCREEN_WORKS[1]);
}
