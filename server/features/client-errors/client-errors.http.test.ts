import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { reportClientError } from '../../../contract/client-errors.ts';
import { LIMITS, RATE_LIMITS } from '../../../contract/limits.ts';
import { openTestApp } from '../../../test/harness/app.ts';

const lines: Record<string, unknown>[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(JSON.parse(String(chunk)));
    done();
  },
});
const { app, anonymous } = await openTestApp({ parts: { log: pino({ base: undefined }, sink) } });
const limited = await openTestApp({ env: { RATE_LIMIT_SCALE: '1' } });

const body = { kind: 'render', message: 'x is not a function', path: '/ads/12' } as const;
const logged = () => lines.filter(({ msg }) => msg === 'client error');
const count = async (kind: string) => {
  const { values } = await app.metrics.registry.getSingleMetric('tradepost_client_errors_total')!.get();
  return values.find(({ labels }) => labels.kind === kind)?.value ?? 0;
};

test('a report is counted and logged without personal data, and changes nothing', async () => {
  const { status, headers } = await anonymous.call(reportClientError, {
    body: {
      ...body,
      message: 'no ann@mail.example at https://site.example/?search=secret',
      stack: 'Error: no\n  at f (https://site.example/assets/home.js?v=secret:1:2)',
      path: '/messages/12/34',
    },
  });
  expect([status, headers.getSetCookie()]).toEqual([204, []]);
  expect(await count('render')).toBe(1);
  const [line] = logged();
  expect(line).toMatchObject({ kind: 'render', path: '/messages/:id/:id' });
  expect(JSON.stringify(line)).not.toMatch(/ann@|secret|127\.0\.0\.1/);
  await anonymous.ok(reportClientError, { body: { ...body, path: '/users/maya' } });
  expect(logged().at(-1)).toMatchObject({ path: '/users/:username' });
});

test('of many reports all are counted and few are logged', async () => {
  for (let n = 0; n < 30; n++) await anonymous.ok(reportClientError, { body: { ...body, kind: 'unhandled' } });
  expect(await count('unhandled')).toBe(30);
  expect(logged().length).toBeLessThanOrEqual(40);
});

test.each([
  ['an address with its query', { path: '/?search=secret' }],
  ['a long message', { message: 'x'.repeat(LIMITS.clientErrorMessage + 1) }],
  ['an unknown kind', { kind: 'other' }],
])('%s is refused', async (_name, wrong) => {
  expect((await anonymous.call(reportClientError, { body: { ...body, ...wrong } as never })).status).toBe(400);
});

test('a body beyond the limit is refused unread, and one address reports a few a minute', async () => {
  const stack = 'x'.repeat(LIMITS.bodyClientError);
  expect((await anonymous.call(reportClientError, { body: { ...body, stack } })).status).toBe(413);
  for (let n = 0; n < RATE_LIMITS.clientError.points; n++) await limited.anonymous.ok(reportClientError, { body });
  expect((await limited.anonymous.call(reportClientError, { body })).status).toBe(429);
});
