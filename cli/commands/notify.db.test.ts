import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { NOTIFICATION_KINDS } from '../../contract/notifications.ts';
import { openCliDatabase, runCli } from '../../test/harness/cli.ts';
import { insertUser } from '../../test/harness/factories.ts';
import { openSmtpServer } from '../../test/harness/smtp-server.ts';
import { EXIT } from '../framework/errors.ts';

const { db, run } = await openCliDatabase();
const smtp = await openSmtpServer();
const env = { SMTP_URL: smtp.url };
const { id } = await insertUser({ db }, { username: 'ann' });

describe('notify test', () => {
  const notifyAnn = (more = '', variables: Record<string, string> = env) =>
    run(`notify test @ann --channel email ${more}`, { env: variables });
  const listNotifications = () => db('notifications').where({ user_id: id });

  beforeEach(async () => {
    smtp.letters.length = 0;
    smtp.refuse(0);
    await db.raw('truncate notifications cascade; truncate email_addresses, notification_settings');
    const address = { address: 'ann@mail.example', uses_x: false, confirmed_at: db.fn.now() };
    await db('email_addresses').insert({ user_id: id, ...address });
  });

  test('mails a notification, which stays in the list, and is in the audit log', async () => {
    const { code, json } = await notifyAnn('-o json');
    expect([code, json()]).toEqual([
      EXIT.ok,
      { id: expect.any(String), to: 'ann', channel: 'email', status: 'sent', error: null },
    ]);
    expect(smtp.letters.map(({ to }) => to)).toEqual([['<ann@mail.example>']]);
    expect(await listNotifications()).toMatchObject([{ kind: 'notice' }]);
    expect(await db('audit_log').where({ action: 'notification.test' })).toMatchObject([{ target_id: id }]);
    // the server has nothing left to deliver
    expect(await db('graphile_worker.jobs')).toEqual([]);
  });

  test('says what the mail server said, and leaves the next attempt to the server', async () => {
    smtp.refuse(1, '421 4.3.2 shutting down');
    const { code, stderr } = await notifyAnn();
    expect([code, stderr]).toEqual([EXIT.partial, expect.stringContaining('421 4.3.2 shutting down')]);
    expect(stderr).toContain('tries again');
    expect(await db('graphile_worker.jobs')).toMatchObject([{ task_identifier: 'deliver-mail' }]);
    await db.raw('delete from graphile_worker._private_jobs');
  });

  test.each<[string, () => Promise<unknown>, Record<string, string>, string]>([
    ['without SMTP_URL', async () => {}, {}, 'SMTP_URL is not set'],
    ['without a confirmed address', () => db('email_addresses').delete(), env, 'no confirmed address'],
    [
      'if the person switched all mail off',
      () =>
        db('notification_settings').insert(
          NOTIFICATION_KINDS.map((kind) => ({ user_id: id, kind, channel: 'email', is_on: false })),
        ),
      env,
      'switched all notifications by email off',
    ],
  ])('%s it says so and sends nothing', async (_, prepare, variables, words) => {
    await prepare();
    const { code, stderr } = await notifyAnn('', variables);
    expect([code, stderr]).toEqual([EXIT.conflict, expect.stringContaining(words)]);
    expect([await listNotifications(), smtp.letters]).toEqual([[], []]);
  });

  test('by push needs a browser', async () => {
    const { code, stderr } = await run('notify test @ann --channel push', { env });
    expect([code, stderr]).toEqual([EXIT.conflict, expect.stringContaining('no browser')]);
  });

  test('a dry run sends and stores nothing', async () => {
    const { code, json } = await notifyAnn('--dry-run -o json');
    expect([code, json()]).toMatchObject([EXIT.ok, { status: 'waiting' }]);
    expect([await listNotifications(), smtp.letters]).toEqual([[], []]);
  });

  test.each([
    ['notify test @nobody --channel email', EXIT.notFound],
    ['notify test @ann', EXIT.usage],
    ['notify test @ann --channel fax', EXIT.usage],
  ])('%s is refused', async (line, exit) => {
    expect((await run(line, { env })).code).toBe(exit);
  });
});

describe('mail preview', () => {
  const site = { SITE_NAME: 'Kettles', PUBLIC_URL: 'https://kettles.example' };

  test.each(NOTIFICATION_KINDS)('prints the mail of %s as text and as HTML', async (kind) => {
    const { code, stdout } = await runCli(`mail preview ${kind}`, { env: site });
    expect(code).toBe(EXIT.ok);
    expect(stdout).toMatch(/^Subject: .+\n\n/);
    expect(stdout).toContain('https://kettles.example/unsubscribe?token=');
    expect(stdout).toContain('https://kettles.example/dashboard#notification-settings');
    const answer = ['message', 'offer', 'reservation'].includes(kind)
      ? 'Answer in the conversation\nhttps://kettles.example/messages/'
      : 'Write to Kettles\nhttps://kettles.example/contact';
    for (const words of ['Replies to this mail reach nobody.', answer]) expect(stdout).toContain(words);
    for (const line of stdout.split('\n')) if (!line.includes('://')) expect(line.length).toBeLessThanOrEqual(76);
    const html = (await runCli(`mail preview ${kind} --html`, { env: site })).stdout;
    expect(html).toMatch(/^<!doctype html>/);
    for (const words of ['Replies to this mail reach nobody.', ...answer.split('\n')]) expect(html).toContain(words);
    expect(html).not.toMatch(/<(img|script|link|iframe)\b|url\(/i);
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https:\/\/kettles\.example(\/|$)/);
  });

  test('prints the mail with the link that confirms an address', async () => {
    const { code, stdout } = await runCli('mail preview confirmation', { env: site });
    expect([code, stdout]).toEqual([EXIT.ok, expect.stringContaining('https://kettles.example/verify-email?token=')]);
    expect(stdout).toContain('Replies to this mail reach nobody.');
  });

  test('writes into a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'mail-')), 'mail.html');
    expect((await runCli(`mail preview notice --html --out ${file}`, { env: site })).code).toBe(EXIT.ok);
    expect(readFileSync(file, 'utf8')).toContain('Kettles');
  });

  test('names the kinds when there is no such one', async () => {
    const { code, stderr } = await runCli('mail preview letter');
    expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining('price_drop')]);
  });
});
