/** Elements without a framework: made once, changed in place, so that focus and selection stay where they are. */

/** By then a browser has taken what it downloads. */
const SAVED_WITHIN_MS = 10_000;

type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;
type Child = Node | string | null | undefined;

/** Makes an element; `on…` attributes are listeners, `null` and `false` leave one out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? '' : String(value));
    }
  }
  made.append(...children.filter((child): child is Node | string => child !== null && child !== undefined));
  return made;
}

interface ButtonOptions {
  id?: string;
  class?: string;
  title?: string;
  testid?: string;
}

export function button(label: string | Node, click: () => void, options: ButtonOptions = {}): HTMLButtonElement {
  const { id, class: extra = '', title, testid } = options;
  const attributes = { type: 'button', class: `button ${extra}`, id, title, 'data-testid': testid ?? id, onclick: click };
  return el('button', attributes, label);
}

/** Sets an element's words, only if they are others. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows or hides. */
export function show(element: HTMLElement, shown: boolean): void {
  if (element.hidden === shown) element.hidden = !shown;
}

/** Sets or takes away a class. */
export function mark(element: Element, name: string, on: boolean): void {
  if (element.classList.contains(name) !== on) element.classList.toggle(name, on);
}

export function attribute(element: Element, name: string, value: string | null): void {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Hands a file to the player, as a download. */
export function saveFile(name: string, contents: Blob): void {
  const link = el('a', { download: name, href: URL.createObjectURL(contents) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_WITHIN_MS);
}

/** Keeps Tab within an open dialogue. */
export function trapFocus(root: HTMLElement): void {
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab') return;
    const all = [...root.querySelectorAll<HTMLElement>('button, a[href], input, select, summary, [tabindex="0"]')];
    const open = all.filter((one) => !one.hasAttribute('disabled') && one.getClientRects().length > 0);
    const [first, last] = [open[0], open[open.length - 1]];
    if (!first || !last) return;
    const inside = root.contains(document.activeElement);
    if (event.shiftKey && (document.activeElement === first || !inside)) {
      event.preventDefault();
      last.focus();
    } else if (!event.shiftKey && (document.activeElement === last || !inside)) {
      event.preventDefault();
      first.focus();
    }
  });
}

/** True where motion is to be spared. */
export const prefersStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
