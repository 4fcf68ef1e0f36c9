import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAd } from '../../contract/ads.ts';
import { endpoints } from '../../contract/index.ts';
import { PAGES, type PageSpec } from '../../contract/pages.ts';
import { openTestApp } from '../harness/app.ts';
import { adBody, insertCategories, insertUser } from '../harness/factories.ts';
import { makePhoto, toDataUrl } from '../harness/photos.ts';

const { app, url, anonymous, signIn, lifecycle } = await openTestApp();
const secure = await openTestApp({ env: { PUBLIC_URL: 'https://market.example' } });

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Names of files, places in code, and software, which no response shows. */
const INTERNALS = /\bat .+:\d+:\d+|node_modules|\/server\/|\.ts\b|\bkoa\b|\bnode(\.js)?\/\d|postgres(ql)? \d/i;

function expectSecurityHeaders(headers: Headers) {
  expect(Object.fromEntries(headers)).toMatchObject(ALWAYS);
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
  expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/);
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  expect(headers.get('cross-origin-resource-policy')).toMatch(/^(same|cross)-origin$/);
  expect([...headers.keys()].filter((name) => /^(server|x-powered-by|access-control-.*)$/.test(name))).toEqual([]);
}

let picture = '';
beforeAll(async () => {
  await insertCategories(app);
  const seller = await signIn((await insertUser(app)).id);
  const imageUrls = [toDataUrl(await makePhoto({ width: 64, height: 64, seed: 1 }), 'jpeg')];
  picture = (await seller.ok(createAd, { body: adBody({ imageUrls }) })).imageUrls[0] ?? '';
});

describe('every answer carries the security headers', () => {
  const json = { 'Content-Type': 'application/json' };
  const cases: [status: number, what: string, method: string, path: string | (() => string), extra?: object][] = [
    [200, 'a reply', 'GET', '/api/ads'],
    [200, 'a page', 'GET', '/'],
    [200, 'a picture', 'GET', () => picture],
    [200, 'health', 'GET', '/healthz'],
    [200, 'a feed', 'GET', '/feed.atom'],
    [200, 'HEAD', 'HEAD', '/api/ads'],
    [204, 'nothing', 'POST', '/api/auth/logout'],
    [301, 'a moved page', 'GET', '/categories/'],
    [302, 'the way to X', 'GET', '/api/auth/twitter'],
    [302, 'a refused callback', 'GET', '/api/auth/twitter/callback'],
    [400, 'a bad query', 'GET', '/api/ads?minPrice=x'],
    [400, 'bad JSON', 'POST', '/api/auth/admin', { headers: json, body: '{"username":' }],
    [401, 'no session', 'GET', '/api/auth/me'],
    [403, 'a foreign write', 'POST', '/api/auth/logout', { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    [404, 'no endpoint', 'GET', '/api/nothing'],
    [404, 'no page', 'GET', '/nowhere'],
    [404, 'no asset', 'GET', '/assets/x.js'],
    [404, 'no picture', 'GET', `/media/${'0'.repeat(64)}/full.jpg`],
    [405, 'another method', 'DELETE', '/api/ads'],
    [405, 'another method on a picture', 'POST', () => picture],
    [405, 'OPTIONS', 'OPTIONS', '/api/ads'],
    [413, 'a large body', 'POST', '/api/auth/admin', { headers: json, body: `"${'x'.repeat(70_000)}"` }],
    [415, 'a form', 'POST', '/api/auth/admin', { headers: { 'Content-Type': 'text/plain' }, body: 'a=b' }],
  ];

  test.each(cases)('%i %s', async (status, _what, method, path, extra = {}) => {
    const answer = await anonymous.send(typeof path === 'function' ? path() : path, { method, ...extra });
    expect(answer.status).toBe(status);
    expectSecurityHeaders(answer.headers);
    if (status >= 400 && method !== 'HEAD') expect(String(JSON.stringify(answer.body))).not.toMatch(INTERNALS);
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/^GET, HEAD/);
  });

  test('also to a page of another site, which may read none of them', async () => {
    for (const path of ['/', '/api/ads', '/api/auth/me', '/nowhere', '/healthz', '/feed.atom', picture]) {
      const { headers } = await anonymous.send(path, { headers: { Origin: 'https://evil.test' } });
      expectSecurityHeaders(headers);
      expect([path, headers.get('cross-origin-resource-policy')]).toEqual([
        path,
        path === picture ? 'cross-origin' : 'same-origin',
      ]);
    }
  });

  test('304', async () => {
    for (const path of ['/api/ads', '/', picture]) {
      const { headers } = await anonymous.send(path);
      const again = await anonymous.send(path, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
      expect([path, again.status]).toEqual([path, 304]);
      expectSecurityHeaders(again.headers);
    }
  });

  test('421 for a host that is not ours', async () => {
    const headers = await new Promise<Headers>((resolve) => {
      request(url, { headers: { Host: 'evil.test' } }, (res) => {
        expect(res.statusCode).toBe(421);
        resolve(new Headers(res.headers as Record<string, string>));
        res.resume();
      }).end();
    });
    expectSecurityHeaders(headers);
  });

  test('500, without a word about what happened', async () => {
    const { db } = app;
    app.db = new Proxy(db, {
      apply: () => {
        throw new Error('secret detail at /srv/x.ts');
      },
      get: () => {
        throw new Error('secret detail');
      },
    });
    const { status, headers, body } = await anonymous.send('/api/users/nobody/profile');
    app.db = db;
    expect([status, body.code, body.message]).toEqual([500, 'internal_error', 'Something went wrong']);
    expect(JSON.stringify(body)).not.toContain('secret');
    expectSecurityHeaders(headers);
  });

  test('503 while it is draining or the database is away', async () => {
    lifecycle.phase = 'draining';
    const { status, headers } = await anonymous.send('/readyz');
    lifecycle.phase = 'ready';
    expect(status).toBe(503);
    expectSecurityHeaders(headers);
  });
});

test.each(['/', '/api/nothing'])('%s says what documents may not use', async (path) => {
  const { headers } = await anonymous.send(path);
  expect(headers.get('permissions-policy')).toBe('camera=(), geolocation=(self), microphone=(), payment=(), usb=()');
  expect(headers.get('origin-agent-cluster')).toBe('?1');
});

test('a page loads nothing from elsewhere, and its policy allows "unsafe" for style attributes alone', async () => {
  const { headers, body } = await anonymous.send('/');
  const policy = headers.get('content-security-policy') ?? '';
  const directives = policy.split('; ').map((directive) => directive.split(' '));
  expect(directives.filter((parts) => parts.join(' ').includes('unsafe')).map(([name]) => name)).toEqual([
    'style-src-attr',
  ]);
  const hosts = directives.flatMap(([name, ...sources]) =>
    sources.filter((source) => source.includes('//')).map((source) => [name, source]),
  );
  expect(hosts).toEqual([]);
  const loaded = [...body.matchAll(/<(?:script|img|link|iframe)\b[^>]*?\b(?:src|href)="([^"]+)"/g)].map(([, to]) => to);
  for (const address of loaded) expect(new URL(address, url).origin).toBe(url);
});

test.each([
  '/.env',
  '/.git/config',
  '/package.json',
  '/index.html',
  '/.vite/manifest.json',
  '/.server/entry-server.js',
  '/server/main.ts',
  '/assets/..%2f..%2fpackage.json',
  '/metrics',
  '/api/docs',
])('%s is nowhere', async (path) => {
  const { status, body } = await anonymous.send(path);
  expect([status, /"dependencies"|\[core\]|process_cpu/.test(JSON.stringify(body))]).toEqual([404, false]);
});

test('TRACE repeats nothing of the request', async () => {
  const text = await new Promise<string>((resolve) => {
    request(`${url}/api/ads`, { method: 'TRACE', headers: { 'X-Secret': 'a-secret-header' } }, async (res) => {
      expect(res.statusCode).toBe(405);
      resolve((await res.toArray()).join(''));
    }).end();
  });
  expect(text).not.toContain('a-secret-header');
});

test('errors are JSON that no cache keeps', async () => {
  const { headers, body } = await anonymous.send('/api/nothing');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({ message: 'Not found', code: 'not_found', requestId: headers.get('x-request-id') });
});

test('no cache stores what an endpoint says to one person, whether it is a reply or an error', async () => {
  const me = await signIn((await insertUser(app)).id);
  const personal = endpoints.filter(({ spec }) => spec.method === 'GET' && spec.access !== 'public' && !spec.events);
  expect(personal.length).toBeGreaterThan(20);
  for (const client of [me, anonymous])
    for (const { name, spec } of personal) {
      const { headers } = await client.send(spec.path.replace(/:\w+/g, '1'));
      expect([name, headers.get('cache-control')]).toEqual([name, 'no-store']);
    }
});

test('robots.txt keeps crawlers from every private page', async () => {
  const rules = (await anonymous.send<string>('/robots.txt')).body.split('\n');
  const pages: PageSpec[] = Object.values(PAGES);
  for (const { path } of pages.filter(({ title, description }) => title && !description)) {
    const refused = rules.some((rule) => {
      const [, prefix] = /^Disallow: (.+)$/.exec(rule) ?? [];
      return prefix !== undefined && path.replace(/:\w+/g, '*').startsWith(prefix);
    });
    expect([path, refused]).toEqual([path, true]);
  }
});

test("one's own answers are never stored, public ones ask again", async () => {
  const me = await signIn((await insertUser(app)).id);
  expect((await me.send('/api/auth/me')).headers.get('cache-control')).toBe('no-store');
  expect((await me.send('/api/ads')).headers.get('cache-control')).toBe('public, no-cache');
  for (const path of ['/api/auth/me/x.css', '/api/messages/user;.js', '/api/auth/me%2fx.css'])
    expect([path, (await me.send(path)).status]).toEqual([path, 404]);
});

test('over https: HSTS, Secure cookies, and no insecure host', async () => {
  const ask = (path: string, method = 'GET') =>
    new Promise<{ headers: Record<string, string>; cookies: string[] }>((resolve) => {
      request(secure.url + path, { method, headers: { Host: 'market.example' } }, (res) => {
        resolve({ headers: res.headers as Record<string, string>, cookies: res.headers['set-cookie'] ?? [] });
        res.resume();
      }).end();
    });
  const { headers, cookies } = await ask('/api/auth/twitter');
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
  expect(headers.location).toContain(encodeURIComponent('https://market.example/api/auth/twitter/callback'));
  const page = (await ask('/')).headers['content-security-policy'];
  expect(page).toMatch(/; upgrade-insecure-requests$/);
  const ofWrite = (await ask('/api/auth/logout', 'POST')).cookies;
  expect([cookies.length, ofWrite.length]).toEqual([2, 0]);
  for (const cookie of [...cookies, ...ofWrite])
    for (const flag of [/; secure/i, /; httponly/i, /; samesite=lax/i, /; path=\//i]) expect(cookie).toMatch(flag);
});
