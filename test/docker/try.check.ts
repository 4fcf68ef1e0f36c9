import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../local/ports.ts';
import { SAMPLE_ADS } from '../../seeds/sample.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../harness/chromium.ts';
import { docker, dockerMeanwhile, findMissing, IMAGE, inspect, mustDocker, VERSION } from './docker.ts';
import { caFile } from './images.ts';

const PROJECT = `${IMAGE}-try`;
const FILE = 'deploy/compose/compose.try.yml';
const IN_PROJECT = `label=com.docker.compose.project=${PROJECT}`;

/** Whether a TCP connection to this address of the machine succeeds. */
const isOpen = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5000 });
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false)).once('timeout', () => end(false));
  });

const otherAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((of) =>
    (of ?? []).filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
  );

describe.skipIf(findMissing())('compose.try.yml: a look without an app at X', async () => {
  const ports = [await findFreePort('127.0.0.1', 0), await findFreePort('127.0.0.1', 0)];
  const [port, sandboxPort] = ports.map(String) as [string, string];
  const env = { COMPOSE_PROJECT_NAME: PROJECT, PORT: port, X_SANDBOX_PORT: sandboxPort, BUILD_CA_FILE: caFile() };
  const compose = (...args: string[]) => mustDocker(['compose', '--file', FILE, ...args], env);
  const origin = `http://localhost:${port}`;
  const idOf = (service: string) => compose('ps', '--quiet', service);
  const listLeft = (): string[] =>
    [
      ['ps', '--all'],
      ['network', 'ls'],
      ['volume', 'ls'],
    ].map((list) => mustDocker([...list, '--quiet', '--filter', IN_PROJECT]));

  beforeAll(async () => {
    await dockerMeanwhile(['compose', '--file', FILE, 'up', '--wait'], env).catch((error) => {
      throw new Error(docker(['compose', '--file', FILE, 'logs', '--tail', '30'], env).stdout, { cause: error });
    });
  });
  afterAll(() => void docker(['compose', '--file', FILE, 'down', '-v', '--rmi', 'local', '--timeout', '1'], env));

  test('only this machine reaches it', async () => {
    expect(compose('port', 'try', '8080')).toBe(`127.0.0.1:${port}`);
    expect(compose('port', 'try', sandboxPort)).toBe(`127.0.0.1:${sandboxPort}`);
    expect(inspect(idOf('try-db'), '{{json .HostConfig.PortBindings}}')).toBe('{}');
    for (const open of ports) {
      expect(await isOpen('127.0.0.1', open)).toBe(true);
      for (const address of otherAddresses()) expect(await isOpen(address, open), `${address}:${open}`).toBe(false);
    }
  });

  test('it may change nothing but its volumes, and has no way to more rights', () => {
    for (const service of ['try', 'try-db']) {
      const host = JSON.parse(inspect(idOf(service), '{{json .HostConfig}}'));
      expect(host).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges:true'] });
    }
  });

  test('a visitor sees the sample ads with photos, and signs in as a sample person', async () => {
    const { path: executablePath, problem } = ensureChromium();
    if (!executablePath) throw new Error(problem);
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
    try {
      const page = await browser.newPage();
      await page.goto(origin);
      const shown = await page.locator('main article img').count();
      expect(shown).toBeGreaterThan(5);
      const sofa = SAMPLE_ADS.find(({ title }) => title.includes('sofa'))!;
      await page.goto(`${origin}/?search=${encodeURIComponent(sofa.title)}`);
      await page.getByRole('link', { name: sofa.title, exact: true }).click();
      await page.getByRole('heading', { name: sofa.title, level: 1 }).waitFor();
      expect(await loadsPhotos(page)).toBe(true);
      await signIn(page, 'seller_one');
      await page.goto(`${origin}/dashboard`);
      await page.getByRole('table', { name: 'My Ads' }).getByText(sofa.title).waitFor();
      await page.goto(`${origin}/messages`);
      await page.getByText(sofa.title).first().waitFor();
    } finally {
      await browser.close();
    }
  });

  const loadsPhotos = (page: Page): Promise<boolean> =>
    page.evaluate(`Promise.all([...document.querySelectorAll('main img[src^="/media/"]')].map(async (photo) => {
      await photo.decode();
      return photo.naturalWidth;
    })).then((widths) => widths.length > 0 && widths.every((width) => width > 100))`);

  const signIn = async (page: Page, username: string): Promise<void> => {
    await page.getByRole('button', { name: 'Sign In', exact: true }).locator('visible=true').first().click();
    await page.getByRole('button', { name: 'Continue with X' }).click();
    await page.getByRole('button', { name: `@${username}` }).click();
    await page.getByRole('button', { name: 'Authorize app' }).click();
    await page.waitForURL((url) => url.origin === origin);
    await page
      .getByRole('link', { name: /^Messages/ })
      .first()
      .waitFor();
  };

  test('it does not start in production', () => {
    const image = inspect(idOf('try'), '{{.Image}}');
    const production = ['--rm', '--env', 'NODE_ENV=production', '--env', 'PUBLIC_URL=https://market.example.com'];
    const { status, stderr } = docker(['run', ...production, '--env', 'DATABASE_URL=postgres://db/none', image]);
    expect(status).toBe(1);
    expect(stderr).toContain('The X sandbox does not run in production');
  });

  test('the image for production has no simulator, and does not start with the settings of one', () => {
    const image = `${IMAGE}:${VERSION}`;
    const sandbox = ['--env', 'X_MODE=sandbox', '--env', `X_SANDBOX_URL=http://127.0.0.1:${sandboxPort}`];
    const { status, stderr } = docker(['run', '--rm', ...sandbox, image]);
    expect(status).toBe(3);
    for (const name of ['X_MODE must be live', 'X_SANDBOX_URL must not be set']) expect(stderr).toContain(name);
    expect(docker(['run', '--rm', '--entrypoint', 'ls', image, '/app/local']).status).not.toBe(0);
  });

  test('a second start keeps its data, and down -v leaves nothing', async () => {
    const before = idOf('try');
    await dockerMeanwhile(['compose', '--file', FILE, 'up', '--wait'], env);
    expect(idOf('try')).toBe(before);
    compose('down', '-v');
    expect(listLeft()).toEqual(['', '', '']);
  });
});
