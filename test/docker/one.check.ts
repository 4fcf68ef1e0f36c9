import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { docker, findMissing, inspect, mustDocker, ROOT } from './docker.ts';
import { openStack, type Stack } from './stack.ts';

const overlay = (name: string) => `deploy/compose/compose.${name}.yml`;
const HOST = 'market.example.com';

interface Answer {
  status: number;
  body: string;
}

const get = (stack: Stack, path: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const [, port] = stack.compose('port', 'app', '8080').split(':');
    request({ port, path, headers: { Host: HOST }, agent: false }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => (body += chunk)).on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });

const until = async (wanted: () => Promise<boolean>) => {
  while (!(await wanted().catch(() => false))) await sleep(200);
};

describe.skipIf(findMissing())('one machine: docker compose as an operator uses it', () => {
  const stack = openStack('one', `https://${HOST}`);
  afterAll(() => stack.close());
  const idOf = (service: string) => stack.compose('ps', '--quiet', service);
  const addAd = () =>
    stack.sql(`with who as (insert into users (x_id, username, display_name) values ('1', 'keeper', 'Keeper') returning id)
      insert into ads (user_id, title, description, price, category_id, listed)
      select id, 'Kept kettle', 'Boils', 15, (select min(id) from categories), true from who`);

  test('without init.sh it says to run it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tradepost-empty-'));
    const file = join(ROOT, 'docker-compose.yml');
    const { status, stderr } = docker(['compose', '--project-directory', folder, '--file', file, 'config', '--quiet']);
    rmSync(folder, { recursive: true });
    expect(status).not.toBe(0);
    expect(stderr).toContain('Run deploy/compose/init.sh');
  });

  test.each(['proxy', 'replicas', 'metrics', 's3'])('compose reads compose.%s.yml', (name) => {
    const files = ['docker-compose.yml', ...(name === 'replicas' ? ['proxy'] : []).map(overlay), overlay(name)];
    const args = files.flatMap((file) => ['--file', join(stack.directory, file)]);
    const settings = { ...stack.env, GRAFANA_PASSWORD: 'x', S3_ENDPOINT: 'https://s3.example.com', S3_BUCKET: 'b' };
    mustDocker(['compose', '--project-directory', stack.directory, ...args, 'config', '--quiet'], settings);
  });

  test('without a secret it names the file', () => {
    rmSync(join(stack.directory, 'deploy/compose/secrets/session_keys'));
    const { status, said } = stack.tryCompose('up', '--detach', '--wait');
    expect(status).not.toBe(0);
    expect(said).toMatch(/deploy\/compose\/secrets\/session_keys/);
    stack.compose('down');
    execFileSync(join(stack.directory, 'deploy/compose/init.sh'));
  });

  test('comes up on a clean volume, and a second time changes nothing', async () => {
    await stack.up();
    const before = [idOf('app'), idOf('db')];
    await stack.up();
    expect([idOf('app'), idOf('db')]).toEqual(before);
  });

  test('is reachable from this machine only', () => {
    expect(stack.compose('port', 'app', '8080')).toMatch(/^127\.0\.0\.1:/);
    expect(stack.compose('ps', '--format', '{{.Ports}}', 'db')).not.toContain('->');
  });

  test.each(['app', 'db'])('%s may change nothing but its volumes, and has no way to more rights', (service) => {
    const host = JSON.parse(inspect(idOf(service), '{{json .HostConfig}}'));
    expect(host).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges:true'] });
    const env: string[] = JSON.parse(inspect(idOf(service), '{{json .Config.Env}}'));
    for (const name of ['postgres_password', 'session_keys', 'x_client_secret'])
      for (const line of env) expect(line).not.toContain(stack.secret(name));
  });

  test('marketctl works inside: categories, an administrator by standard input, the schema', async () => {
    stack.marketctl('seed', 'categories');
    expect(JSON.parse((await get(stack, '/api/categories')).body)).toHaveLength(25);
    const admin = execFileSync(
      'sh',
      ['-c', 'echo "correct horse battery" | docker compose exec -T app marketctl admin create root --password-stdin'],
      { cwd: stack.directory, env: { ...process.env, ...stack.env, COMPOSE_FILE: 'docker-compose.yml' } },
    );
    expect(String(admin)).toMatch(/\d/);
    expect(stack.marketctl('migrate', 'status', '--check')).toContain('ads');
  });

  test('data survive restart, and down and up', async () => {
    addAd();
    const has = async () => (await get(stack, '/api/ads')).body.includes('Kept kettle');
    expect(await has()).toBe(true);
    stack.compose('restart', 'app', 'db');
    await stack.up();
    expect(await has()).toBe(true);
    stack.compose('down');
    await stack.up();
    expect(await has()).toBe(true);
  });

  test('while Postgres is away the app lives, says so, and is back by itself', async () => {
    const app = idOf('app');
    stack.compose('stop', 'db');
    expect((await get(stack, '/livez')).status).toBe(200);
    await until(async () => (await get(stack, '/readyz')).status === 503);
    const refused = await get(stack, '/api/ads?minPrice=1');
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'database_unavailable' });
    stack.compose('start', 'db');
    await until(async () => (await get(stack, '/readyz')).status === 200);
    expect((await get(stack, '/api/ads?minPrice=1')).status).toBe(200);
    expect(idOf('app')).toBe(app);
    expect(inspect(app, '{{.RestartCount}}')).toBe('0');
  });

  test('a backup brings back what was there, and keeps what it replaces', async () => {
    const run = (script: string, ...args: string[]) =>
      execFileSync(join(ROOT, 'deploy/backup', script), args, {
        cwd: stack.directory,
        encoding: 'utf8',
        env: { ...process.env, ...stack.env, COMPOSE_FILE: 'docker-compose.yml' },
      });
    const before = (await get(stack, '/api/ads')).body;
    const file = run('backup.sh').trim();
    stack.sql("update ads set title = 'Vandalised'; delete from contact_messages");
    expect(run('restore.sh', file)).toMatch(/The data that were here are in backups\/before-restore-.*\.tar/);
    expect((await get(stack, '/api/ads')).body).toBe(before);
    writeFileSync(join(stack.directory, file), 'no backup');
    expect(() => run('restore.sh', file)).toThrow();
    expect((await get(stack, '/api/ads')).body).toBe(before);
  });

  test('stops cleanly at SIGTERM', () => {
    const app = idOf('app');
    stack.compose('stop', 'app');
    expect(inspect(app, '{{.State.ExitCode}} {{.State.OOMKilled}}')).toBe('0 false');
  });
});
