import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../local/ports.ts';
import { findElement } from './find.ts';
import type { Tab } from './tab.ts';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const HANGING_MS = 45_000;
/** Without it the browser's toolbar is wider than a phone. */
const NARROW = '* { min-width: 0; min-height: 0; margin: 0; padding: 0; border-width: 0; font-size: 1px; }';

/** Starts a display of its own, because the browser has no other way to run. */
const startDisplay = async (): Promise<{ name: string; process: ChildProcess }> => {
  const args = ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'];
  const process = spawn('Xvfb', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [number] = (await once(process.stdout, 'data')) as [Buffer];
  return { name: `:${number.toString().trim()}`, process };
};

type Call = <T = null>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<T>;

const startDriver = async (display: string, home: string): Promise<{ call: Call; process: ChildProcess }> => {
  const port = await findFreePort('127.0.0.1', 0);
  const folders = { HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home };
  const process_ = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, ...folders, DISPLAY: display, GDK_BACKEND: 'x11' },
    stdio: 'ignore',
  });
  const call: Call = async (method, path, body) => {
    // A driver whose browser has ended does not respond.
    const signal = AbortSignal.timeout(HANGING_MS);
    const init = { method, signal, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  for (let tries = 0; ; tries++) {
    try {
      await call('GET', '/status');
      return { call, process: process_ };
    } catch (error) {
      if (tries === 200) throw error;
      await sleep(50);
    }
  }
};

/** Awaits a function's result, which WebDriver's synchronous scripts do not. */
const AWAITING = `const [args, done] = arguments;
Promise.resolve().then(() => (WORK)(...args)).then((result) => done({ result }), (error) => done({ error: String(error) }))`;

/** Opens WebKitGTK's small browser on a display of its own, controlled over WebDriver. */
export const openWebKit = async (): Promise<Tab> => {
  const home = mkdtempSync(join(tmpdir(), 'tradepost-webkit-'));
  mkdirSync(join(home, 'gtk-3.0'));
  writeFileSync(join(home, 'gtk-3.0/gtk.css'), NARROW);
  const display = await startDisplay();
  const driver = await startDriver(display.name, home);
  const capabilities = { alwaysMatch: { timeouts: { script: 30_000, pageLoad: 40_000 } } };
  const { sessionId } = await driver.call<{ sessionId: string }>('POST', '/session', { capabilities });
  const call: Call = (method, path, body) => driver.call(method, `/session/${sessionId}${path}`, body);
  const evaluate = async (work: unknown, args: unknown[]) => {
    const script = AWAITING.replace('WORK', () => String(work));
    const { result, error } = await call<{ result?: unknown; error?: string }>('POST', '/execute/async', {
      script,
      args: [args],
    });
    if (error) throw new Error(error);
    return result;
  };
  return {
    open: (url) => call('POST', '/url', { url }),
    run: (work, ...args) => evaluate(work, args) as never,
    async find(finding) {
      const found = (await evaluate(findElement, [finding])) as Record<string, string> | null;
      if (!found) return undefined;
      const path = `/element/${found[ELEMENT]}`;
      return {
        click: () => call('POST', `${path}/click`, {}),
        type: (text) => call('POST', `${path}/value`, { text }),
        upload: (files) => call('POST', `${path}/value`, { text: files.join('\n') }),
      };
    },
    async resize(width, height) {
      const outer = await call<{ height: number }>('POST', '/window/rect', { width, height });
      // The window includes the toolbar.
      const inner = (await evaluate(() => innerHeight, [])) as number;
      await call('POST', '/window/rect', { width, height: height + outer.height - inner });
    },
    takePicture: async () => Buffer.from(await call<string>('GET', '/screenshot'), 'base64'),
    async close() {
      // Ends the browser, too.
      await call('DELETE', '').catch(() => {});
      driver.process.kill();
      display.process.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
};
