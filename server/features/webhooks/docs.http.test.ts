import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WEBHOOK_EVENTS, WEBHOOK_SUBJECTS, type WebhookEvent } from '../../../contract/webhooks.ts';
import { findFreePort } from '../../../local/ports.ts';
import type { StoredSubject } from './events-repository.ts';
import { buildRequest } from './requests.ts';
import { createSecret, signBody } from './signature.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/WEBHOOKS.md', import.meta.url), 'utf8');
const readBlock = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(DOCUMENT)?.[1] ?? '';

const AD = { adId: '10001', sellerId: '42' };
const OFFER = { offerId: '7', messageId: '913', adId: '10001', personId: '43', amount: '40.00' };
const STORED: { [E in WebhookEvent]: StoredSubject<E> } = {
  'ad.listed': AD,
  'ad.updated': AD,
  'ad.sold': AD,
  'ad.ended': { ...AD, reason: 'expired' },
  'offer.made': OFFER,
  'offer.accepted': OFFER,
  'message.received': { messageId: '914', adId: '10001', personId: '43' },
  'search.matched': { searchId: '3', adId: '10001' },
  'report.opened': { caseId: '5', targetType: 'ad', targetId: '10001' },
  'user.banned': { userId: '44' },
};
const SITE = { publicUrl: 'https://market.example', currency: { code: 'USD' } };

test('the document shows each event as it is sent', () => {
  const bodies = WEBHOOK_EVENTS.map((type) => {
    const event = { type, data: STORED[type], at: '2026-11-26T12:00:00.000Z', adTitle: null };
    const { body } = buildRequest('standard', event, SITE);
    const { data } = JSON.parse(body);
    expect(WEBHOOK_SUBJECTS[type].parse(data)).toEqual(data);
    return body;
  });
  expect(readBlock('json')).toBe(`${bodies.join('\n')}\n`);
});

test('the receiver of the document takes what is signed, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-receiver-'));
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, readBlock('js'));
  const [secret, port] = [createSecret(), await findFreePort('127.0.0.1', 0)];
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: 'ignore',
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const now = Math.floor(Date.now() / 1000);
  const post = async (body: string, secrets: string[], seconds = now, sent = body) => {
    const headers = signBody(body, { id: 'msg_1', seconds, secrets });
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })).status;
  };
  const isUp = () => post('{}', [secret]).catch(() => 0);
  await expect.poll(isUp, { timeout: 20_000 }).toBe(204);
  expect(await post('{"type":"ad.sold"}', [createSecret(), secret])).toBe(204);
  expect(await post('{"type":"ad.sold"}', [createSecret()])).toBe(401);
  expect(await post('{"type":"ad.sold"}', [secret], now - 3600)).toBe(401);
  expect(await post('{"type":"ad.sold"}', [secret], now, '{"type":"ad.ended"}')).toBe(401);
});
