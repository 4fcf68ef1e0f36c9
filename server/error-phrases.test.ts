import { expect, test } from 'vitest';
import { speaking } from '../contract/i18n.ts';
import { type ErrorPhrase, say } from './error-phrases.ts';
import { accountSuspended, describeError, forbidden, invalid, notFound } from './errors.ts';
import { readTexts } from './lib/catalogs.ts';

const sayWait = (seconds: number): string =>
  say({ key: 'errors.manyConversations', values: { count: 2, wait: { seconds } } });

test.each([
  [1, 'in 1 minute'],
  [60, 'in 1 minute'],
  [61, 'in 2 minutes'],
  [3540, 'in 59 minutes'],
  [3541, 'in 1 hour'],
  [3600, 'in 1 hour'],
  [3601, 'in 2 hours'],
  [86_400, 'in 24 hours'],
  [2 * 86_400, 'in 2 days'],
  [2 * 86_400 + 1, 'in 3 days'],
])('%i seconds are %s', (seconds, words) =>
  expect(sayWait(seconds)).toBe(`You can start 2 conversations an hour. You can start the next one ${words}.`),
);

const inGerman = <T>(make: () => T extends PromiseLike<unknown> ? never : T): T => speaking(readTexts('de'), make);

test('an error is English to logs, and what its reader speaks in the response', () => {
  const error = inGerman(() => notFound('errors.adNotFound'));
  expect(error.message).toBe('Ad not found');
  expect(describeError(error)).toEqual({ code: 'not_found', message: 'Ad not found' });
  expect(inGerman(() => describeError(error))).toEqual({ code: 'not_found', message: 'Anzeige nicht gefunden' });
});

test('days, times and texts within a text are in the language of the reader, and programs get them in ISO', () => {
  const until = '2026-12-01T08:30:00.000Z';
  const suspended = accountSuspended(until);
  expect(suspended.message).toBe('Your account is suspended until December 1, 2026 at 8:30 AM UTC.');
  const german = inGerman(() => describeError(suspended));
  expect(german).toMatchObject({ params: { until }, fields: { suspendedUntil: until } });
  expect(german.message).toContain('1. Dezember 2026');
  const rule: ErrorPhrase = { key: 'errors.xAge_ads', values: { count: 30 } };
  const young = forbidden('errors.xAgeFrom', { rule, day: { day: new Date(until) } });
  expect(young.message).toBe(
    'Your X account must be at least 30 days old to post ads. You can do this from December 1, 2026.',
  );
  expect(describeError(young).params).toEqual({ count: 30, day: '2026-12-01' });
});

test('what is wrong with fields is said in the language of the reader, the first of it as the message', () => {
  const error = invalid({ category: 'errors.unknownCategory', placeId: 'fields.unknownPlace' });
  expect(error.fields).toEqual({ category: 'Unknown category', placeId: 'Unknown place' });
  expect(inGerman(() => describeError(error))).toEqual({
    code: 'validation_failed',
    message: 'Unbekannte Kategorie',
    fields: { category: 'Unbekannte Kategorie', placeId: 'Unbekannter Ort' },
  });
});
