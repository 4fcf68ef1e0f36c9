import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { toEnglish } from '../../error-phrases.ts';
import { explainStatus, judgeAnswer, readRetryAfter } from './rules.ts';
import { createSecret, signBody } from './signature.ts';

const HOUR = 3_600_000;
const fail = (attempts: number, random = 0) => judgeAnswer({ status: 500 }, attempts, random);

describe('attempts', () => {
  test('follow after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; the tenth is the last', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempts) => fail(attempts));
    expect(waits.map((verdict) => verdict.status === 'waiting' && verdict.waitMs)).toEqual([
      5000,
      300_000,
      0.5 * HOUR,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
    ]);
    expect(fail(10)).toEqual({ status: 'failed', isGone: false, holdMs: null });
    expect(fail(1, 1)).toMatchObject({ waitMs: 6000 });
  });

  test.each([200, 201, 204, 299])('end with %i', (status) => {
    expect(judgeAnswer({ status }, 1, 0)).toEqual({ status: 'delivered' });
    expect(explainStatus(status)).toBeNull();
  });

  test.each([100, 301, 304, 307, 400, 404, 429, 500])('follow after %i', (status) => {
    expect(judgeAnswer({ status }, 1, 0).status).toBe('waiting');
    expect(toEnglish(explainStatus(status)!)).toContain(`responded ${status}`);
  });

  test('end with 410, for the webhook too', () => {
    expect(judgeAnswer({ status: 410 }, 1, 0)).toEqual({ status: 'failed', isGone: true, holdMs: null });
  });

  test('wait for Retry-After, but not for less than usual', () => {
    const asked = (retryAfterMs: number) => judgeAnswer({ status: 429, retryAfterMs }, 1, 0);
    expect(asked(60_000)).toEqual({ status: 'waiting', waitMs: 60_000, holdMs: 60_000 });
    expect(asked(1000)).toEqual({ status: 'waiting', waitMs: 5000, holdMs: 1000 });
  });
});

test.each([
  ['120', 120_000],
  ['Fri, 27 Nov 2026 12:00:30 GMT', 30_000],
  ['9999999999', 24 * HOUR],
  ['Fri, 27 Nov 2099 12:00:30 GMT', 24 * HOUR],
  ['0', undefined],
  ['-5', undefined],
  ['1e9', undefined],
  ['99999999999999999999', undefined],
  ['Fri, 27 Nov 2020 12:00:30 GMT', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %s asks for %s ms', (header, ms) => {
  expect(readRetryAfter(header, new Date('2026-11-27T12:00:00Z'))).toBe(ms);
});

describe('signatures', () => {
  const [first, second] = [createSecret(), createSecret()];
  const sign = (body: string, ...secrets: string[]) =>
    signBody(body, { id: 'msg_1', seconds: Math.floor(Date.now() / 1000), secrets });
  const body = '{"type":"ad.sold","data":{"title":"Öboe 🎵"}}';

  test('are those of Standard Webhooks', () => {
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Webhook(first).verify(body, sign(body, first))).toEqual(JSON.parse(body));
    expect(() => new Webhook(second).verify(body, sign(body, first))).toThrow();
    expect(() => new Webhook(first).verify(`${body} `, sign(body, first))).toThrow();
  });

  test('of two secrets satisfy who knows either', () => {
    const headers = sign(body, first, second);
    for (const secret of [first, second]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });
});
