import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getAd, listAds } from '../../contract/ads.ts';
import { endpoints } from '../../contract/index.ts';
import type { Scope } from '../../contract/scopes.ts';
import { getSuccessStatus } from '../../server/http/endpoints/output.ts';
import { openTestApp } from '../harness/app.ts';
import { insertCategories } from '../harness/factories.ts';
import { makePhoto } from '../harness/photos.ts';
import { openToken } from '../harness/sessions.ts';
import { createWorld, type World } from '../security/world.ts';
import { toApiMarkdown } from './api-document.ts';
import { CALLS, SCRIPT } from './calls.ts';

const { app, url, anonymous } = await openTestApp();
const folder = mkdtempSync(join(tmpdir(), 'tradepost-api-'));
afterAll(() => rmSync(folder, { recursive: true }));
const execute = promisify(execFile);

let world: World;
beforeAll(async () => {
  await insertCategories(app);
  world = await createWorld(app);
  writeFileSync(join(folder, 'photo.jpg'), await makePhoto({ width: 60, height: 40 }));
});

/** Of the owner of an ad with an open offer, for these scopes alone. */
const createToken = async (scopes: Scope[]) =>
  (await openToken(app, world.people.owner.id, scopes)).slice('Bearer '.length);

test('docs/API.md is what the endpoints say', async () => {
  await expect(toApiMarkdown()).toMatchFileSnapshot('../../docs/API.md');
});

describe('the commands in docs/API.md', () => {
  test.each(CALLS)('$title', async ({ name, curl }) => {
    const { spec } = endpoints.find((endpoint) => endpoint.name === name)!;
    const env = {
      ...process.env,
      SITE: url,
      TOKEN: await createToken([spec.scope as Scope]),
      AD: world.expiredAd.id,
      THEIR_AD: world.reservedAd.id,
      SELLER: world.people.other.id,
      OFFER: world.offerId,
    };
    if (name === 'setAdPaused') await app.db('ads').where({ id: env.AD }).update({ state: 'active' });
    const command = curl.replace('curl ', 'curl -sS -w "\\n%{http_code}" ');
    const { stdout } = await execute('sh', ['-c', command], { cwd: folder, env });
    const [json = '', status] = stdout.split(/\n(?=\d+$)/);
    expect([Number(status), json]).toEqual([getSuccessStatus(spec), json]);
    expect(spec.reply?.safeParse(JSON.parse(json)).success).toBe(true);
  });

  test('say which part of the API they call', () => {
    for (const { name, curl } of CALLS) {
      const { spec } = endpoints.find((endpoint) => endpoint.name === name)!;
      const path = /"\$SITE([^"?]*)/.exec(curl)![1]!;
      expect([name, path.replace(/\$\w+/g, ':id')]).toEqual([name, spec.path]);
    }
  });
});

test('the script in docs/API.md has twenty lines at most, and posts an ad with a photo', async () => {
  expect(SCRIPT.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(20);
  const file = join(folder, 'post-ad.mjs');
  writeFileSync(file, SCRIPT);
  const env = { ...process.env, SITE: url, TOKEN: await createToken(['ads:write']) };
  const { stdout } = await execute(process.execPath, [file, 'photo.jpg'], { cwd: folder, env });
  const [, id = ''] = /\/ads\/(\d+)\n$/.exec(stdout) ?? [];
  const ad = await anonymous.ok(getAd, { params: { id } });
  expect(ad).toMatchObject({ title: 'Blue kettle', price: '18.50', userId: world.people.owner.id });
  expect(ad.imageUrls).toHaveLength(1);
  await expect.poll(async () => (await anonymous.ok(listAds)).map((each) => each.id)).toContain(id);
});
