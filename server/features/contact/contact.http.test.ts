import { expect, test } from 'vitest';
import { sendContact } from '../../../contract/contact.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { openSmtpServer } from '../../../test/harness/smtp-server.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';

const smtp = await openSmtpServer();
const { app, anonymous } = await openTestApp({
  env: { SMTP_URL: smtp.url, CONTACT_EMAIL: 'desk@market.example', SUPPORT_EMAIL: 'support@market.example' },
});
const german = await openTestApp({
  env: { SMTP_URL: smtp.url, CONTACT_EMAIL: 'kontakt@markt.example', LOCALES: 'de,en' },
});
const silent = await openTestApp();

const body = { name: 'Ann Lee', email: 'ann@mail.example', subject: 'Question', message: 'Hello,\nwhere is it?' };
const stored = () => app.db('contact_messages').orderBy('id');

test('a message is stored and mailed to the operator, an answer would reach the writer', async () => {
  const { status, body: reply } = await anonymous.call(sendContact, { body: { ...body, subject: 'Question' } });
  expect([status, reply]).toEqual([202, { received: true }]);
  expect(await stored()).toMatchObject([{ name: 'Ann Lee', mailed_at: null }]);
  await runDueJobs(app, jobHandlers);
  expect(smtp.letters).toHaveLength(1);
  const [{ to, data }] = smtp.letters as [(typeof smtp.letters)[0]];
  expect(to).toEqual(['<desk@market.example>']);
  expect(data).toContain('From: Tradepost <support@market.example>');
  expect(data).toContain('Reply-To: Ann Lee <ann@mail.example>');
  expect(data).toContain('Subject: [Tradepost] Question');
  expect(data).toContain('where is it?');
  expect((await stored())[0].mailed_at).not.toBeNull();
});

test('the operator reads it in the first language of the marketplace', async () => {
  smtp.letters.length = 0;
  await german.anonymous.ok(sendContact, { body });
  await runDueJobs(german.app, jobHandlers);
  const text = smtp.letters[0]!.data.replace(/=\r?\n/g, '');
  expect(text).toMatch(/Ann Lee <ann@mail\.example>, =C3=BCber das Kontaktformular am \d+\. \S+ 2\d{3} um \d\d:\d\d/);
});

test('no field can add a header or a recipient', async () => {
  smtp.letters.length = 0;
  const subject = 'Hi\r\nBcc: victim@mail.example';
  await anonymous.ok(sendContact, { body: { ...body, name: 'A\nTo: b@mail.example', subject } });
  await runDueJobs(app, jobHandlers);
  const [{ to, data }] = smtp.letters as [(typeof smtp.letters)[0]];
  expect(to).toEqual(['<desk@market.example>']);
  const headers = data.slice(0, data.indexOf('\n\n'));
  expect(headers).not.toMatch(/^(Bcc|To: b@)/m);
  expect((await anonymous.call(sendContact, { body: { ...body, email: 'a@b.example, c@d.example' } })).status).toBe(
    400,
  );
});

test('a mail server that is busy gets the letter later', async () => {
  smtp.letters.length = 0;
  smtp.refuse(1);
  await anonymous.ok(sendContact, { body: { ...body, subject: 'Later' } });
  await runDueJobs(app, jobHandlers);
  expect(smtp.letters).toHaveLength(0);
  await app.db.raw('update graphile_worker._private_jobs set run_at = now()');
  await runDueJobs(app, jobHandlers);
  expect(smtp.letters).toHaveLength(1);
});

test('a message that the mail server refuses for good stays stored and is not mailed again', async () => {
  smtp.letters.length = 0;
  smtp.refuse(1, '554 5.7.1 Spam');
  await anonymous.ok(sendContact, { body: { ...body, subject: 'Refused' } });
  await runDueJobs(app, jobHandlers);
  expect(await app.db('graphile_worker.jobs').where({ task_identifier: 'mail-contact' })).toEqual([]);
  expect(await app.db('contact_messages').where({ subject: 'Refused' }).first()).toMatchObject({ mailed_at: null });
});

test('a message waits for its turn among the mails of all replicas', async () => {
  smtp.letters.length = 0;
  await app.db('mail_slots').delete();
  await anonymous.ok(sendContact, { body: { ...body, subject: 'Paced' } });
  await runDueJobs(app, jobHandlers);
  expect(await app.db('mail_slots')).toMatchObject([{ lane: 'all' }]);
});

test('who fills in the hidden field is thanked and forgotten', async () => {
  const before = await stored();
  const answer = await anonymous.call(sendContact, { body: { ...body, website: 'https://spam.example' } });
  expect([answer.status, answer.body]).toEqual([202, { received: true }]);
  expect(await stored()).toEqual(before);
});

test.each(['name', 'email', 'subject', 'message'])('without %s it says what is missing', async (field) => {
  const { status, body: reply } = await anonymous.call(sendContact, { body: { ...body, [field]: ' ' } });
  expect([status, reply.fields?.[field]]).toEqual([400, 'Please fill in all fields.']);
});

test('a retried send with its key is stored once', async () => {
  const headers = { 'Idempotency-Key': 'contact-key-1' };
  const before = (await stored()).length;
  for (let i = 0; i < 3; i++) await anonymous.ok(sendContact, { body, headers });
  expect(await stored()).toHaveLength(before + 1);
});

test('without a mail server it is stored all the same', async () => {
  await silent.anonymous.ok(sendContact, { body });
  await runDueJobs(silent.app, jobHandlers);
  expect(await silent.app.db('contact_messages')).toMatchObject([{ subject: body.subject, mailed_at: null }]);
});
