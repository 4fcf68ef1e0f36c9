import { describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/index.ts';
import { openTestApp } from '../harness/app.ts';
import { insertUser } from '../harness/factories.ts';
import { openSession } from '../harness/sessions.ts';

const { app, url } = await openTestApp();
const cookie = await openSession(app, (await insertUser(app)).id);

const writes = endpoints.filter(({ spec }) => spec.method !== 'GET');
const unsafe = writes.filter(({ spec }) => spec.oneClick !== true);
const exempt = writes.filter(({ spec }) => spec.oneClick === true);
const pathOf = (path: string) => path.replace(/:\w+/g, '1');

const send = (method: string, path: string, headers: Record<string, string>) =>
  fetch(url + path, { method, headers, ...(method !== 'DELETE' && { body: 'not json' }) });

const REFUSED: [why: string, headers: Record<string, string>][] = [
  ['another site', { 'Sec-Fetch-Site': 'cross-site', Cookie: cookie }],
  ['a sibling or another port', { 'Sec-Fetch-Site': 'same-site', Cookie: cookie }],
  ['no site at all', { 'Sec-Fetch-Site': 'none', Cookie: cookie }],
  ['another site, without a cookie', { 'Sec-Fetch-Site': 'cross-site' }],
  ['another site that claims our origin', { 'Sec-Fetch-Site': 'cross-site', Origin: url, Cookie: cookie }],
  ['another origin', { Origin: 'https://evil.test', Cookie: cookie }],
  ['an origin that begins like ours', { Origin: `${url}.evil.test`, Cookie: cookie }],
  ['the null origin', { Origin: 'null', Cookie: cookie }],
  ['neither header, with a cookie', { Cookie: cookie }],
];

describe.each(unsafe.map(({ name, spec }) => [name, spec.method, pathOf(spec.path)] as const))(
  '%s',
  (_name, method, path) => {
    test('refuses foreign writes before anything is read', async () => {
      for (const [why, headers] of REFUSED) {
        const answer = await send(method, path, headers);
        expect([why, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
          why,
          403,
          'csrf_rejected',
        ]);
      }
    });

    test('lets our own pages through', async () => {
      const ours: Record<string, string>[] = [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: url }, {}];
      for (const headers of ours) {
        const { status } = await send(method, path, headers);
        expect(status).not.toBe(403);
      }
    });
  },
);

test('only the one click of mail programs is exempt, at its exact address, and its cookie names no actor', async () => {
  expect(exempt.map(({ spec }) => `${spec.method} ${spec.path}`)).toEqual(['POST /unsubscribe']);
  for (const [why, headers] of REFUSED) {
    const answer = await send('POST', '/unsubscribe', headers);
    expect([why, answer.status]).not.toEqual([why, 403]);
    for (const path of ['/unsubscribe/', '/Unsubscribe', '//unsubscribe', '/unsubscribe%2f', '/api/unsubscribe']) {
      const refused = await send('POST', path, headers);
      expect([why, path, refused.status]).toEqual([why, path, 403]);
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const refused = await send(method, '/unsubscribe', headers);
      expect([why, method, refused.status]).toEqual([why, method, 403]);
    }
  }
});

test('reading from anywhere is allowed, and no answer invites another origin', async () => {
  const answer = await fetch(`${url}/api/ads`, {
    headers: { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' },
  });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  const preflight = await fetch(`${url}/api/ads`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://evil.test', 'Access-Control-Request-Method': 'POST' },
  });
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([405, null]);
});

test('overriding the method in a header or the query changes nothing', async () => {
  const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE' };
  expect((await fetch(`${url}/api/ads?_method=DELETE`, { headers })).status).toBe(200);
});
