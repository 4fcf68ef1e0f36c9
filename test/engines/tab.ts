import { setTimeout as sleep } from 'node:timers/promises';
import { type Finding, type Target, toFinding } from './find.ts';

export interface Handle {
  /** Clicks with the browser's own pointer, after scrolling there. */
  click(): Promise<void>;
  /** Types with the browser's own keyboard. */
  type(text: string): Promise<void>;
  /** Chooses files of this machine in an `<input type=file>`. */
  upload(files: string[]): Promise<void>;
}

/** The only tab of a browser with its own cookies. */
export interface Tab {
  /** Opens an address and waits for its load event. */
  open(address: string): Promise<void>;
  /** Calls a function in the page with JSON. It may use nothing but its arguments. */
  run<A extends unknown[], T>(work: (...args: A) => T | Promise<T>, ...args: A): Promise<T>;
  find(finding: Finding): Promise<Handle | undefined>;
  resize(width: number, height: number): Promise<void>;
  takePicture(): Promise<Uint8Array>;
  close(): Promise<void>;
}

const PATIENCE_MS = 60_000;

/** Repeats `work` until it returns a value. Errors are thrown only at the end, because pages change while they are read. */
const persist = async <T>(what: string, work: () => Promise<T | undefined>): Promise<T> => {
  let last: unknown;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
    last = undefined;
    try {
      const result = await work();
      if (result !== undefined) return result;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`Waited in vain for ${what}`, { cause: last });
};

const withHandle = (tab: Tab, target: Target, work: (handle: Handle) => Promise<void>): Promise<true> =>
  persist(`${target.css} named ${target.name}`, async () => {
    const handle = await tab.find(toFinding(target));
    if (!handle) return undefined;
    await work(handle);
    return true;
  });

/** Waits until the element is visible. */
export const see = (tab: Tab, target: Target): Promise<true> => withHandle(tab, target, async () => {});

export const click = (tab: Tab, target: Target): Promise<true> => withHandle(tab, target, (handle) => handle.click());

export const type = (tab: Tab, target: Target, text: string): Promise<true> =>
  withHandle(tab, target, (handle) => handle.type(text));

export const upload = (tab: Tab, target: Target, files: string[]): Promise<true> =>
  withHandle(tab, target, (handle) => handle.upload(files));

/** Waits until the address has this path. */
export const arrive = (tab: Tab, path: string): Promise<true> =>
  persist(path, async () => ((await tab.run(() => location.pathname)) === path ? true : undefined));

/** Waits until React has hydrated the page. */
export const waitUntilAlive = (tab: Tab): Promise<true> =>
  persist('a hydrated page', async () =>
    (await tab.run(() => document.readyState === 'complete' && !document.querySelector('#late'))) ? true : undefined,
  );
