import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { RATE_LIMITS } from '../../../contract/limits.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Client } from '../../../test/harness/client.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { createLog } from '../../observability/log.ts';

/** In place of the built web/src/entry-server.tsx: prints what it was given, and fails at the address of a test. */
const RENDERER = `
export const renderContent = async (address, { me, data, retryAfter }) => {
  if (retryAfter) return '<main>Wait ' + retryAfter + ' seconds</main>';
  if (address.includes('broken')) throw new Error('cannot be drawn');
  return '<main>' + address + ' for ' + (me?.username ?? 'nobody') + ' with ' + Object.keys(data).sort().join(' ') + '</main>';
};`;

async function makeDist(): Promise<string> {
  const dist = await mkdtemp(join(tmpdir(), 'dist-'));
  await mkdir(join(dist, '.server'));
  await writeFile(
    join(dist, 'index.html'),
    '<head><!--head--></head><body><div id="root"><!--content--></div><!--boot--></body>',
  );
  await writeFile(join(dist, '.server/entry-server.js'), RENDERER);
  return dist;
}

const errors: unknown[] = [];
const log = createLog('silent');
log.error = ((fields: unknown) => errors.push(fields)) as typeof log.error;
const dist = await makeDist();
const { anonymous, signIn, app } = await openTestApp({ dist, parts: { log } });
const limited = await openTestApp({ dist, parts: { log }, env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY_HOPS: '1' } });
afterAll(() => rm(dist, { recursive: true }));

const contentOf = async (client: Client, path: string) =>
  /<div id="root">(.*?)<\/div>/.exec((await client.send(path)).body)?.[1];

let maya: Client;
let adPath = '';
beforeAll(async () => {
  await insertCategories(app);
  maya = await signIn((await insertUser(app, { username: 'maya' })).id);
  adPath = `/ads/${(await maya.ok(createAd, { body: adBody() })).id}`;
});

test('public pages come with their content, drawn from the data that are sent along', async () => {
  expect(await contentOf(anonymous, '/safety-tips')).toBe(
    '<main>/safety-tips for nobody with /api/categories?language=en /api/pages/safety-tips?language=en</main>',
  );
  expect(await contentOf(anonymous, adPath)).toBe(
    `<main>${adPath} for nobody with /api${adPath} /api/categories?language=en</main>`,
  );
  expect(await contentOf(anonymous, '/users/maya')).toContain('/api/users/maya/profile?status=active');
  expect(await contentOf(anonymous, '/no/such/page')).toContain('/no/such/page');
});

test('nothing of an address gets into a shared rendering but what decides what the page shows', async () => {
  expect(await contentOf(anonymous, '/?utm_source=mail&search=lamp&auth=secret')).toContain('<main>/?search=lamp for');
});

test('a signed-in person has a rendering of their own, which is sent to no other person', async () => {
  expect(await contentOf(maya, '/privacy')).toContain('for maya with');
  expect(await contentOf(anonymous, '/privacy')).toContain('for nobody with');
});

test('what hangs on drafts and on one’s own things is left to the browser', async () => {
  const paths = [
    '/dashboard',
    '/messages',
    '/notifications',
    '/preferences',
    '/create-ad',
    '/admin',
    '/contact',
    `${adPath}/edit`,
  ];
  for (const path of paths) expect([path, await contentOf(maya, path)]).toEqual([path, '']);
  expect((await anonymous.send('/contact')).body).toMatch(/<noscript>.*needs JavaScript.*@.*<\/noscript>/);
  expect((await anonymous.send('/privacy')).body).not.toContain('<noscript>');
});

test('a page that cannot be drawn is sent without content, and the log says why', async () => {
  const { status, body } = await anonymous.send('/?search=broken');
  expect([status, body.includes('<div id="root"></div>')]).toEqual([200, true]);
  expect(body).toContain('id="boot"');
  expect(errors).toMatchObject([{ address: '/?search=broken', err: { message: 'cannot be drawn' } }]);
});

test('the code that draws them is no file of the site', async () => {
  expect((await anonymous.send('/.server/entry-server.js')).status).toBe(404);
});

describe('who reaches a rate limit', () => {
  const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const ask = (path: string, { Accept = BROWSER, ip = '9.9.9.1', cookie = '' }: Record<string, string> = {}) =>
    limited.anonymous.send(path, { headers: { Accept, 'X-Forwarded-For': ip, cookie } });
  const searchUntilRefused = async () => {
    for (let i = 0; ; i++) if ((await ask(`/?search=${i}`)).status === 429) return;
  };

  test('of pages reads in a browser what happened and how long it lasts, on a page that nothing stores', async () => {
    await searchUntilRefused();
    for (const cookie of ['', 'connect.sid=perhaps']) {
      const { status, headers, body } = await ask('/?search=lamp', { cookie });
      expect([status, headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
      expect([headers.get('cache-control'), headers.has('content-security-policy')]).toEqual(['no-store', true]);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toSatisfy((value: number) => value >= 1 && value <= 60);
      expect(body).toContain(`<main>Wait ${seconds} seconds</main>`);
      expect(body).toContain('<title>Too Many Requests | Tradepost</title>');
      expect(body).toContain('name="robots" content="noindex"');
      expect(JSON.parse(/id="boot">(.*?)<\/script>/.exec(body)![1]!)).toMatchObject({ retryAfter: seconds });
      // whether a request with a session is signed in is not known
      expect(body.includes('"me":null')).toBe(cookie === '');
    }
    expect((await ask('/?search=lamp', { ip: '9.9.9.2' })).status).toBe(200);
    expect((await ask('/safety-tips')).status).toBe(200);
  });

  test('gets JSON where no page was asked for', async () => {
    await searchUntilRefused();
    for (const [path, Accept] of [
      ['/?search=sofa', 'application/json'],
      ['/?search=sofa', '*/*'],
      ['/api/ads?search=sofa', BROWSER],
    ] as const) {
      const { status, headers, body } = await ask(path, { Accept });
      expect([status, body.code, headers.get('cache-control')]).toEqual([429, 'rate_limited', 'no-store']);
      expect(headers.has('retry-after')).toBe(true);
    }
  });

  test('of sign-ins gets the page, too', async () => {
    const start = () => ask('/api/auth/twitter?returnTo=%2F', { ip: '9.9.9.3' });
    const { points, seconds } = RATE_LIMITS.signIn;
    for (let i = 0; i < points; i++) expect((await start()).status).toBe(302);
    const { status, headers, body } = await start();
    expect([status, headers.get('cache-control')]).toEqual([429, 'no-store']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(seconds - 60);
    expect(body).toContain(`<main>Wait ${seconds} seconds</main>`);
  });
});
