import { popFirst } from './pop-first.ts';

/*
 * Back closes the topmost overlay. An open overlay has an entry of its own in the history, above the entry of its page and
 * with the same `idx`, React Router's number of the page. The router never hears of these entries: a link followed in an
 * overlay takes the place of its entry, and what the page replaces meanwhile (filters) is copied to the entry below.
 */

interface EntryState {
  idx?: number;
  /** How many overlays are open on this entry. */
  overlay?: number;
}

const overlays: (() => void)[] = [];
/** The entry that is shown, as it was last written. */
let shown: { state: EntryState | null; url: string } | undefined;
/** While the browser goes back on our behalf, which it does later, writes of the router wait. */
let isTraversing = false;
let givesUp: ReturnType<typeof setTimeout>;
const waiting: (() => void)[] = [];

const depthOf = (state: EntryState | null | undefined): number => state?.overlay ?? 0;

const write = (method: 'pushState' | 'replaceState', state: EntryState | null, url?: string | URL | null): void => {
  History.prototype[method].call(history, state, '', url);
  shown = { state: history.state, url: location.href };
};

const endTraversal = (): void => {
  clearTimeout(givesUp);
  isTraversing = false;
  for (const writeNow of waiting.splice(0)) writeNow();
};

/** Without an entry below, as in a duplicated tab, going back does nothing. */
const GIVE_UP_MS = 1000;

/** Gives each open overlay an entry. */
const addEntries = (): void => {
  if (isTraversing) return;
  for (let next = depthOf(history.state) + 1; next <= overlays.length; next += 1)
    write('pushState', { ...history.state, overlay: next }, location.href);
};

/** The same, and goes back over the entries of closed ones. */
const reconcile = (): void => {
  if (isTraversing) return;
  addEntries();
  const depth = depthOf(history.state);
  if (overlays.length >= depth) return;
  isTraversing = true;
  history.go(overlays.length - depth);
  givesUp = setTimeout(() => {
    write('replaceState', { ...history.state, overlay: overlays.length }, location.href);
    endTraversal();
  }, GIVE_UP_MS);
};

const handlePop = (event: PopStateEvent): void => {
  const state: EntryState | null = event.state;
  const depth = depthOf(state);
  const isOwn = isTraversing;
  if (state?.idx === shown?.state?.idx) {
    event.stopImmediatePropagation();
    write('replaceState', { ...shown?.state, overlay: depth }, shown?.url);
    if (!isOwn) for (const close of overlays.splice(depth).toReversed()) close();
  } else shown = { state, url: location.href };
  endTraversal();
  reconcile();
};

const watch = (): void => {
  if (shown) return;
  shown = { state: history.state, url: location.href };
  const wait = (work: () => void): void => void (isTraversing ? waiting.push(work) : work());
  history.pushState = (state, _, url) =>
    wait(() => {
      write(depthOf(history.state) > 0 ? 'replaceState' : 'pushState', state, url);
      setTimeout(reconcile);
    });
  history.replaceState = (state, _, url) =>
    wait(() => write('replaceState', { ...state, overlay: depthOf(history.state) }, url));
  popFirst.handle = handlePop;
};

/** From now on, Back calls `close` instead of leaving the page. Returns a function that ends this, a moment later. */
export const closeOnBack = (close: () => void): (() => void) => {
  watch();
  overlays.push(close);
  addEntries();
  return () => {
    const index = overlays.indexOf(close);
    if (index >= 0) overlays.splice(index, 1);
    setTimeout(reconcile);
  };
};

/** Leaves the entry of an overlay that a reload has closed. */
export const leaveClosedOverlay = (): void => {
  watch();
  reconcile();
};
