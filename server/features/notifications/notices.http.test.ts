import { beforeAll, describe, expect, test } from 'vitest';
import * as api from '../../../contract/notifications.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Client } from '../../../test/harness/client.ts';
import { failAfter } from '../../../test/harness/database.ts';
import { insertUser } from '../../../test/harness/factories.ts';
import { inTransaction } from '../../db/transaction.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { operator } from '../../policy.ts';
import { runFanOut } from './fan-outs.ts';
import { notice, resumeNotices, sendNotice } from './notices.ts';

const { app, signIn } = await openTestApp();
let admin: Client;
let adminId: string;

beforeAll(async () => {
  adminId = (await insertUser(app, { role: 'admin' })).id;
  admin = await signIn(adminId);
});

const listReceived = (noticeId: string): Promise<string[]> =>
  app.db('notifications').where({ notice_id: noticeId }).orderBy('user_id').pluck('user_id');
const readNotice = (id: string) => app.db('notices').where({ id }).first();

describe('a notice to one person', () => {
  test('is there at once, and the audit log names sender and receiver', async () => {
    const { id: userId } = await insertUser(app);
    const { id } = await admin.ok(api.sendNotice, { body: { userId, title: 'Your ad', body: 'Line one\nLine two' } });
    expect(await listReceived(id)).toEqual([userId]);
    const received = await (await signIn(userId)).ok(api.listNotifications);
    expect(received).toMatchObject([{ kind: 'notice', title: 'Your ad', body: 'Line one\nLine two', isRead: false }]);
    expect(await readNotice(id)).toMatchObject({ sender_id: adminId, recipients: 1, finished_at: expect.anything() });
    expect(await app.db('audit_log').where({ action: 'notice.send', target_id: userId })).toMatchObject([
      { actor_id: adminId, target_type: 'user', details: { noticeId: id, title: 'Your ad' } },
    ]);
  });

  test.each([
    ['unknown', async () => '999999999'],
    ['deleted', async () => (await insertUser(app, { deleted_at: new Date().toISOString() })).id],
  ])('who is %s is not found', async (_, getId) => {
    const body = { userId: await getId(), title: 'Hello', body: 'Hello' };
    expect((await admin.call(api.sendNotice, { body })).status).toBe(404);
    expect(await app.db('notices').where({ receiver_id: body.userId })).toEqual([]);
  });

  test('is sent once per idempotency key', async () => {
    const { id: userId } = await insertUser(app);
    const options = {
      body: { userId, title: 'Once', body: 'Only' },
      headers: { 'Idempotency-Key': `notice-to-${userId}` },
    };
    const responses = await Promise.all([1, 2, 3].map(() => admin.call(api.sendNotice, options)));
    expect(responses.filter(({ status }) => status === 202).length).toBeGreaterThan(0);
    expect(await app.db('notifications').where({ user_id: userId })).toHaveLength(1);
  });
});

test.each([
  ['title', { title: '' }],
  ['title', { title: 'x'.repeat(101) }],
  ['body', { body: ' \n ' }],
  ['body', { body: 'x'.repeat(1001) }],
])('a notice with a bad %s is refused', async (field, part) => {
  const answer = await admin.call(api.sendNotice, { body: { title: 'A', body: 'B', ...part } });
  expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
});

describe('a notice to everyone', () => {
  const send = (title: string) => admin.ok(api.sendNotice, { body: { title, body: 'For everyone.' } });

  test('reaches everyone who is not banned and was there when it was sent', async () => {
    const suspended = await insertUser(app, { suspended_until: new Date(Date.now() + 60_000).toISOString() });
    const banned = await insertUser(app, { banned_at: new Date().toISOString() });
    const { id } = await send('To everyone');
    const late = await insertUser(app);
    await runDueJobs(app, jobHandlers);
    const received = await listReceived(id);
    expect(received).toContain(suspended.id);
    expect(received).toContain(adminId);
    expect(received).not.toContain(banned.id);
    expect(received).not.toContain(late.id);
    expect(await readNotice(id)).toMatchObject({ recipients: received.length, finished_at: expect.anything() });
  });

  test('two deliveries at once, and one that was interrupted, reach each person once', async () => {
    await app.db.raw(
      `insert into users (x_id, username, display_name)
       select (8000000 + n)::text, 'crowd_' || n, 'Crowd ' || n from generate_series(1, 1700) n`,
    );
    const { id } = await send('To the crowd');
    // crashes after the beginning and two batches
    const failing = failAfter(app.db, 3);
    await expect(runFanOut({ db: failing }, notice, id)).rejects.toThrow('killed');
    expect(await listReceived(id)).toHaveLength(1000);
    await Promise.all([1, 2, 3].map(() => runFanOut(app, notice, id)));
    const { rows } = await app.db.raw(
      'select count(*)::int as count from users where banned_at is null and deleted_at is null and id <= (select last_user_id from notices where id = ?)',
      [id],
    );
    const received = await listReceived(id);
    expect(received).toHaveLength(rows[0].count);
    expect(new Set(received).size).toBe(received.length);
    expect(await readNotice(id)).toMatchObject({ recipients: received.length });
  });

  test('continues after a restore, which brings no jobs', async () => {
    const { id } = await send('Interrupted by a restore');
    await app.db.raw('delete from graphile_worker._private_jobs');
    await inTransaction(app.db, resumeNotices);
    await runDueJobs(app, jobHandlers);
    expect(await readNotice(id)).toMatchObject({ finished_at: expect.anything() });
  });
});

test('an operator sends notices too', async () => {
  const { id: receiverId } = await insertUser(app);
  const sent = await sendNotice(app, operator('root@host'), { title: 'Hello', body: 'From the terminal', receiverId });
  expect(sent.recipients).toBe(1);
  expect(await readNotice(sent.id)).toMatchObject({ sender_id: null });
  expect(await app.db('audit_log').where({ target_id: receiverId })).toMatchObject([{ actor: 'root@host' }]);
});
