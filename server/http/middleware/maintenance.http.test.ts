import { expect, test } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Events } from '../../db/events.ts';
import { inTransaction } from '../../db/transaction.ts';
import { writeMaintenance } from '../../features/settings/repository.ts';
import { endMaintenance, startMaintenance } from '../../features/settings/service.ts';
import { operator } from '../../policy.ts';
import { watchMaintenance } from './maintenance.ts';

const { app, anonymous } = await openTestApp();
const actor = operator('cli:test@here');
/** NOTIFY takes a moment: repeats the request until the response has this status. */
const untilStatus = async (path: string, status: number) => {
  for (;;) {
    const answer = await anonymous.send(path, { headers: { Accept: 'text/html' } });
    if (answer.status === status) return answer;
  }
};

test('while maintenance is on, the API answers 503 with the words and Retry-After', async () => {
  expect((await anonymous.send('/api/stats')).status).toBe(200);
  await startMaintenance(app, actor, { message: 'Back at <ten>.', retryAfter: 600 });
  const { headers, body } = await untilStatus('/api/stats', 503);
  expect(body).toMatchObject({ code: 'maintenance', message: 'Back at <ten>.' });
  expect(headers.get('retry-after')).toBe('600');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('people get a page whose words are text, writes are refused, health checks go on', async () => {
  const page = await untilStatus('/', 503);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('permissions-policy')).toContain('camera=()');
  expect(page.body).toContain('Back at &lt;ten&gt;.');
  expect((await anonymous.send('/api/contact', { method: 'POST', body: {} })).status).toBe(503);
  expect((await anonymous.send('/livez')).status).toBe(200);
});

test('without words of an administrator, the page speaks the language of who opens it', async () => {
  const german = await openTestApp({ env: { LOCALES: 'en,de,ar' } });
  await startMaintenance(german.app, actor, { message: null, retryAfter: 600 });
  const open = (language: string) =>
    german.anonymous.send('/', { headers: { Accept: 'text/html', 'Accept-Language': language } });
  await expect.poll(async () => (await open('de')).status).toBe(503);
  expect((await open('de')).body).toContain('<html lang="de" dir="ltr">');
  expect((await open('de')).body).toContain('<p>Die Seite wird gerade gewartet.');
  expect((await open('ar')).body).toContain('<html lang="ar" dir="rtl">');
  expect((await open('fr')).body).toContain('<p>The site is being maintained. Please come back soon.</p>');

  // as a conversion of the currency does
  const phrase = { key: 'errors.pricesChange' } as const;
  const state = { message: 'Prices change to another currency.', phrase, retryAfter: 60, since: '2026-01-01' };
  await inTransaction(german.app.db, (trx) => writeMaintenance(trx, state));
  await expect.poll(async () => (await open('de')).body).toContain('auf eine andere Währung umgestellt.');
  expect((await open('en')).body).toContain('<p>Prices change to another currency.</p>');
});

test('afterwards everything is as before; both are in the audit log', async () => {
  expect(await endMaintenance(app, actor)).toBe(true);
  expect((await untilStatus('/api/stats', 200)).status).toBe(200);
  expect(await endMaintenance(app, actor)).toBe(false);
  expect(await app.db('audit_log').orderBy('id').pluck('action')).toEqual(['maintenance.on', 'maintenance.off']);
});

/** A watch whose reads of the database end when the test lets them, and whose events the test sends. */
const openHeldWatch = () => {
  const reads: { end: () => void; fail: () => void }[] = [];
  const first = () =>
    app
      .db('settings')
      .where({ key: 'maintenance' })
      .first('value')
      .then(
        (row) => new Promise((end, fail) => reads.push({ end: () => end(row), fail: () => fail(new Error('down')) })),
      );
  const db = (() => ({ where: () => ({ first }) })) as unknown as typeof app.db;
  let send = () => {};
  const events = {
    isUp: () => true,
    subscribe: (_name: string, handler: (payload: null) => void) => {
      send = () => handler(null);
    },
  } as unknown as Events;
  const watch = watchMaintenance({ ...app, db, events });
  return { watch, reads, send: () => send() };
};

test('a change whose event arrives while the state is being read is not lost', async () => {
  const { watch, reads, send } = openHeldWatch();
  send();
  await expect.poll(() => reads).toHaveLength(1);
  await startMaintenance(app, actor, { message: null, retryAfter: 60 });
  send();
  reads[0]!.end();
  await expect.poll(() => reads).toHaveLength(2);
  expect(watch.isOff()).toBe(false);
  reads[1]!.end();
  expect(await watch.read()).toMatchObject({ retryAfter: 60 });
  await endMaintenance(app, actor);
});
