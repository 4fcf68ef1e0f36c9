import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { CALLBACK, CLIENT, control, MAYA, signIn, startTestSimulator } from '../../test/harness/x-simulator.ts';
import { startXSimulator } from './server.ts';

const options = { port: 0, ...CLIENT, redirectUris: [CALLBACK] };

test('production refuses it', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  await expect(startXSimulator(options)).rejects.toThrow('does not run in production');
  vi.unstubAllEnvs();
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'example.com'])('it does not listen on %s', async (host) => {
  await expect(startXSimulator({ ...options, host })).rejects.toThrow('loopback only');
});

test('with a state file, accounts and tokens outlive a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'x-sandbox-'));
  const stateFile = join(folder, 'state.json');
  const first = await startXSimulator({ ...options, stateFile });
  const { access_token } = await signIn(first);
  await first.close();
  const second = await startXSimulator({ ...options, stateFile });
  const me = await fetch(`${second.url}/2/users/me`, { headers: { authorization: `Bearer ${access_token}` } });
  await second.close();
  await rm(folder, { recursive: true });
  expect(await me.json()).toMatchObject({ data: { id: MAYA } });
});

test('pages escape, avatars are pictures, unknown paths are 404', async () => {
  const sandbox = await startTestSimulator();
  const profile = await fetch(`${sandbox.url}/tomokafor`);
  const avatar = await fetch(`${sandbox.url}/profile_images/${MAYA}_normal.png`);
  const bytes = Buffer.from(await avatar.arrayBuffer());
  expect(profile.status).toBe(200);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.readUInt32BE(16)).toBe(48);
  expect((await fetch(`${sandbox.url}/nobody`)).status).toBe(404);
  expect((await fetch(`${sandbox.url}/2/nothing`)).status).toBe(404);
  await sandbox.close();
});

test('a new account is named by its handle, and lacks nothing', async () => {
  const sandbox = await startTestSimulator();
  expect((await control(sandbox, 'personas', { id: '77', username: 'ann_x' })).status).toBe(201);
  expect(sandbox.state.personas.at(-1)).toMatchObject({ name: 'ann_x', status: 'active', withholds: [] });
  expect((await control(sandbox, 'personas', { id: 'x', username: 'bob' })).status).toBe(400);
  await sandbox.close();
});
