import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../server/config/load.ts';
import { createMailer, type Mailer } from '../../server/integrations/mail/mail.ts';
import { type Mailbox, startMailbox } from './server.ts';

const directory = mkdtempSync(join(tmpdir(), 'mailbox-'));
let mailbox: Mailbox;
let mailer: Mailer;

beforeAll(async () => {
  mailbox = await startMailbox({ port: 0, directory });
  mailer = createMailer(readConfig({ SMTP_URL: mailbox.smtpUrl, SITE_NAME: 'Kettles' }));
});
afterAll(async () => {
  mailer.close();
  await mailbox.close();
  rmSync(directory, { recursive: true });
});
beforeEach(() => fetch(`${mailbox.url}/clear`, { method: 'POST' }));

const get = async (path: string) => {
  const response = await fetch(mailbox.url + path);
  return { status: response.status, headers: response.headers, body: await response.text() };
};
const listMails = async () => JSON.parse((await get('/api/mails')).body);
const HTML =
  '<!doctype html><html><head><title>x</title></head><body><a href="https://a.example/">Open</a></body></html>';
const send = (part: object = {}) =>
  mailer.send({ to: 'ann@mail.example', subject: 'Grüße “1”', text: 'Hello, Ann', html: HTML, ...part });

test('an empty mailbox says how the first mail gets there', async () => {
  expect((await get('/')).body).toContain('There are no mails yet');
});

test('a mail is listed, newest first, and shown with headers, HTML, text and source', async () => {
  await send();
  await send({ subject: 'Second <b>', list: { id: 'a.b', name: 'c', unsubscribeUrl: 'https://a.example/u?t=1' } });
  const { body } = await get('/');
  expect(body.indexOf('Second &lt;b&gt;')).toBeLessThan(body.indexOf('Grüße “1”'));
  const [second, first] = await listMails();
  expect(first).toMatchObject({
    to: 'ann@mail.example',
    subject: 'Grüße “1”',
    text: expect.stringContaining('Hello, Ann'),
  });
  const shown = (await get(`/mails/${second.id}`)).body;
  for (const words of [
    'Hello, Ann',
    'Message-ID',
    `src="/mails/${second.id}/html"`,
    'action="https://a.example/u?t=1"',
  ])
    expect(shown).toContain(words);
  expect((await get(`/mails/${first.id}`)).body).not.toContain('One-Click');
  const { body: part, headers } = await get(`/mails/${first.id}/html`);
  expect(part).toBe(HTML.replace('<head>', '<head><base target="_blank">'));
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none';.*sandbox/);
  expect((await get(`/mails/${first.id}/source`)).body).toMatch(/^From: Kettles </m);
});

test('a mail without an HTML part says so', async () => {
  await send({ html: undefined });
  const [{ id }] = await listMails();
  expect((await get(`/mails/${id}`)).body).toContain('This mail has no HTML part.');
  expect((await get(`/mails/${id}/html`)).status).toBe(404);
});

test('mails survive a restart, and are deleted at the push of a button', async () => {
  await send();
  const other = await startMailbox({ port: 0, directory });
  expect(await (await fetch(`${other.url}/api/mails`)).json()).toMatchObject([{ subject: 'Grüße “1”' }]);
  await other.close();
  await fetch(`${mailbox.url}/clear`, { method: 'POST' });
  expect(await listMails()).toEqual([]);
});

test.each(['/mails/99999', '/mails/x', '/mails/1/../../etc', '/other'])('%s is not found', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('a page that gave its own name this address reads nothing', async () => {
  await send();
  const [status, body] = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const sent = request(`${mailbox.url}/api/mails`, { headers: { host: 'evil.example' } }, async (response) =>
      resolve([response.statusCode, await text(response)]),
    );
    sent.on('error', reject).end();
  });
  expect([status, body]).toEqual([421, 'Wrong host.']);
});

test('does not run in production', async () => {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  await expect(startMailbox({ port: 0, directory })).rejects.toThrow('does not run in production');
  process.env.NODE_ENV = before;
});
