import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAccessToken } from '../../../contract/access-tokens.ts';
import { makeOffer } from '../../../contract/offers.ts';
import { findFreePort } from '../../../local/ports.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertCategories } from '../../../test/harness/factories.ts';
import { addWebhook, sendDue, WEBHOOK_ENV } from '../../../test/harness/webhooks.ts';

const { app, url, createPerson } = await openTestApp({ env: WEBHOOK_ENV });
const DOCUMENT = readFileSync(new URL('../../../docs/WEBHOOKS.md', import.meta.url), 'utf8');

test('twenty lines of the document post an ad with a token and hear of the offer by a webhook', async () => {
  await insertCategories(app);
  const script = /^```mjs\n(.*?)^```/ms.exec(DOCUMENT)?.[1] ?? '';
  expect(script.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  const folder = mkdtempSync(join(tmpdir(), 'twenty-lines-'));
  const file = join(folder, 'program.mjs');
  writeFileSync(file, script);

  const [seller, buyer] = [await createPerson(), await createPerson()];
  const port = await findFreePort('127.0.0.1', 0);
  const { secret } = await addWebhook(seller.client, `http://127.0.0.1:${port}/`, ['offer.made']);
  const { token } = await seller.client.ok(createAccessToken, {
    body: { name: 'Desk', scopes: ['ads:write'], days: 1 },
  });
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, SITE: url, TOKEN: token, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  const hear = (pattern: RegExp) => expect.poll(() => said, { timeout: 60_000 }).toMatch(pattern);
  await hear(/^posted ad \d+\n/);
  const adId = /^posted ad (\d+)/.exec(said)![1]!;
  await buyer.client.ok(makeOffer, { body: { adId, receiverId: seller.id, amount: '70' } });
  await sendDue(app);
  await hear(new RegExp(`\n70\\.00 USD for ad ${adId}: ${url}/messages/${adId}/${buyer.id}\n$`));
});
