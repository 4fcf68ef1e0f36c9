import sharp from 'sharp';
import { expect, test } from 'vitest';
import * as api from '../../../contract/brand.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { runCli } from '../../../test/harness/cli.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { readLogo } from './repository.ts';

const database = await createTestDatabase();
const { app, url, anonymous, signIn } = await openTestApp({ database });
await insertCategories(app);
const admin = await signIn((await insertUser(app, { role: 'admin' })).id);

const RED = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#f00"/></svg>',
);
const fetchFile = async (path: string) => {
  const response = await fetch(url + path);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

test('a logo is in pages, icons, manifest and share picture, and browsers keep it by its address', async () => {
  const { logo } = await admin.ok(api.setLogo, { body: RED });
  expect(logo).toMatch(/^\/logo\.png\?v=[0-9a-f]{12}$/);
  await expect.poll(async () => (await anonymous.send('/')).body).toContain(`"logo":"${logo}"`);
  const { body } = await anonymous.send('/');
  const [card] = /\/og-default\.jpg\?v=[0-9a-f]{12}/.exec(body)!;
  for (const path of [logo!, card]) {
    const { response, bytes } = await fetchFile(path);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toMatch(/^image\/(png|jpeg)$/);
    const [r = 0, g = 0] = await sharp(bytes).extract({ left: 300, top: 200, width: 1, height: 1 }).raw().toBuffer();
    if (path === logo) expect([r, g]).toEqual([255, 0]);
  }
  const { response, bytes } = await fetchFile('/manifest.webmanifest');
  expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('public, no-cache');
  const { name, icons } = JSON.parse(bytes.toString());
  expect(name).toBe('Tradepost');
  for (const { src } of icons) expect((await fetchFile(src)).response.status, src).toBe(200);
  const favicon = await fetchFile('/favicon.ico');
  expect(favicon.response.headers.get('content-type')).toBe('image/x-icon');
  expect(favicon.response.headers.get('cache-control')).toBe('public, no-cache');
  const [red = 0, green = 0] = await sharp(favicon.bytes.subarray(22))
    .extract({ left: 24, top: 24, width: 1, height: 1 })
    .raw()
    .toBuffer();
  expect([red, green]).toEqual([255, 0]);
  expect((await fetchFile('/icon-192.png?v=old')).response.headers.get('cache-control')).toBe('public, no-cache');
  expect((await readLogo(app.db))?.png).toMatch(/^iVBOR/);
});

test('icons and manifest follow name and colour without a logo too', async () => {
  await admin.ok(api.removeLogo);
  await admin.ok(api.updateBrand, { body: { name: 'Kettle Market', shortName: 'Kettles', accent: '#7a1fa2' } });
  const readManifest = async () => JSON.parse((await fetchFile('/manifest.webmanifest')).bytes.toString());
  await expect.poll(readManifest).toMatchObject({
    name: 'Kettle Market',
    short_name: 'Kettles',
    theme_color: '#7a1fa2',
  });
  const { src } = (await readManifest()).icons[2];
  const pixels = await sharp((await fetchFile(src)).bytes)
    .raw()
    .toBuffer();
  expect([...pixels.subarray(0, 3)]).toEqual([0x7a, 0x1f, 0xa2]);
});

test('what is no logo is refused, and stores nothing', async () => {
  await admin.ok(api.resetBrand);
  for (const body of [Buffer.from('<svg><script/></svg>'), Buffer.from('text')])
    expect(await admin.call(api.setLogo, { body })).toMatchObject({ status: 400, body: { code: 'invalid_image' } });
  expect((await admin.call(api.setLogo, { body: Buffer.alloc(1_000_001) })).status).toBe(413);
  expect((await admin.call(api.setLogo, { body: RED, headers: { 'Content-Type': 'text/html' } })).status).toBe(415);
  expect((await admin.ok(api.getBrand)).logo).toBeNull();
});

test('every change is recorded, and a reset takes the logo too', async () => {
  await app.db('audit_log').delete();
  for (const _time of [1, 2]) await admin.ok(api.setLogo, { body: RED });
  expect((await admin.ok(api.resetBrand)).logo).toBeNull();
  const sha = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(await app.db('audit_log').orderBy('id').select('action', 'details')).toEqual([
    { action: 'brand.logo', details: { before: null, after: sha } },
    { action: 'brand.logo', details: { before: sha, after: null } },
  ]);
});

test('the terminal sets and removes it', async () => {
  const env = { DATABASE_URL: database.url };
  const set = await runCli(['brand', 'set', 'logo', 'web/public/icon.svg', '-o', 'json'], { env });
  expect(set.json()[0].value).toMatch(/^\/logo\.png\?v=/);
  expect((await runCli(['brand', 'set', 'logo', 'package.json'], { env })).stderr).toContain('Only PNG, JPEG, WebP');
  expect((await runCli(['brand', 'set', 'logo', '/nowhere'], { env })).code).toBe(2);
  expect((await runCli(['brand', 'set', 'logo', ''], { env })).code).toBe(0);
  expect((await admin.ok(api.getBrand)).logo).toBeNull();
});
