import { beforeEach, expect, test } from 'vitest';
import { getMe } from '../../../contract/auth.ts';
import { deleteMe } from '../../../contract/users.ts';
import { MAYA, openPostingSite } from '../../../test/harness/posting.ts';
import { copyAvatar, refreshAvatars } from './avatars.ts';
import { deleteUnusedImages } from './files.ts';

const { app, anonymous, createPerson, runJobs, reset } = await openPostingSite();
beforeEach(reset);

const findMaya = () => app.db('users').where({ x_id: MAYA }).first();
const signIn = async () => {
  const browser = await createPerson(MAYA, { forPosting: false });
  await runJobs();
  return browser;
};

test('a sign-in copies the avatar, and nothing that a visitor reads names X for it', async () => {
  const browser = await signIn();
  const me = await browser.ok(getMe);
  expect(me.avatar).toMatch(/^\/media\/[0-9a-f]{64}\/thumb\.jpg$/);
  const image = await anonymous.send(me.avatar!);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp']);
  for (const path of [`/api/users/${me.username}/profile`, `/users/${me.username}`])
    expect(JSON.stringify((await anonymous.send(path)).body)).not.toContain('profile_images');
});

test('until X answers the former copy stays; without an image there is none', async () => {
  await signIn();
  const { id, avatar_sha256 } = await findMaya();
  await app
    .db('users')
    .where({ id })
    .update({ avatar: `${app.x.urls.web}/profile_images/none.png` });
  const { readAvatar } = app.x;
  app.x.readAvatar = () => Promise.reject(new Error('X is slow'));
  await expect(copyAvatar(app, id)).rejects.toThrow();
  expect((await findMaya()).avatar_sha256).toEqual(avatar_sha256);
  for (const answer of [Buffer.from('<svg onload="alert(1)"/>'), Buffer.alloc(0), undefined]) {
    app.x.readAvatar = async () => answer;
    await copyAvatar(app, id);
    expect((await findMaya()).avatar_sha256).toBeNull();
    await app.db('users').where({ id }).update({ avatar_sha256 });
  }
  app.x.readAvatar = readAvatar;
});

test('no other host than that of X is asked', async () => {
  for (const url of ['http://127.0.0.1:1/x.png', 'https://twimg.com.evil.example/x.png', 'https://evil.example/x.png'])
    expect(await app.x.readAvatar(url)).toBeUndefined();
});

test('avatars are looked at again after a week, those without a copy first; a deleted person has none', async () => {
  const browser = await signIn();
  const listJobs = () => app.db('graphile_worker.jobs').where({ task_identifier: 'copy-avatar' });
  await refreshAvatars(app);
  expect(await listJobs()).toEqual([]);
  await app.db('users').where({ x_id: MAYA }).update({ avatar_checked_at: '2020-01-01' });
  await refreshAvatars(app);
  expect(await listJobs()).toHaveLength(1);
  await runJobs();
  const { id, avatar_sha256 } = await findMaya();
  expect(avatar_sha256).toBeInstanceOf(Buffer);
  await app.db('images').update({ created_at: '2020-01-01' });
  expect(await deleteUnusedImages(app)).toBe(0);
  await browser.ok(deleteMe);
  expect(await app.db('users').where({ id }).first('avatar', 'avatar_sha256')).toEqual({
    avatar: null,
    avatar_sha256: null,
  });
  expect(await deleteUnusedImages(app)).toBe(1);
});
