import { afterAll, describe, expect, test } from 'vitest';
import { openSmtpServer } from '../../../test/harness/smtp-server.ts';
import { readConfig } from '../../config/load.ts';
import { classifyMailFailure, createMailer, MailError, toHeaderText } from './mail.ts';

const smtp = await openSmtpServer();
const mailer = createMailer(
  readConfig({ SMTP_URL: smtp.url, SITE_NAME: 'Kettles', SUPPORT_EMAIL: 'support@market.example' }),
);
afterAll(() => mailer.close());

const send = async (message: Partial<Parameters<typeof mailer.send>[0]>) => {
  smtp.letters.length = 0;
  await mailer.send({ to: 'ann@mail.example', subject: 'Hello', text: 'Hello', ...message });
  const [{ to, data }] = smtp.letters as [(typeof smtp.letters)[0]];
  const end = data.indexOf('\n\n');
  // long headers are folded
  return { to, headers: data.slice(0, end).replace(/\n[ \t]+/g, ' '), body: data.slice(end + 2) };
};

describe('headers', () => {
  test('name the site, the kind of mail, and how to end it', async () => {
    const { to, headers } = await send({
      messageId: 'notification-7.email@market.example',
      isAutomatic: true,
      list: {
        id: 'notice.market.example',
        name: 'Notices',
        unsubscribeUrl: `https://market.example/u?t=${'x'.repeat(300)}`,
      },
    });
    expect(to).toEqual(['<ann@mail.example>']);
    expect(headers).toContain('From: Kettles <support@market.example>');
    expect(headers).toContain('Message-ID: <notification-7.email@market.example>');
    expect(headers).toContain('Auto-Submitted: auto-generated');
    expect(headers).toMatch(/^List-ID: "Notices" <notice\.market\.example>$/im);
    expect(headers).toContain(`List-Unsubscribe: <https://market.example/u?t=${'x'.repeat(300)}>`);
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  test.each([
    ['a line break', 'Hi\r\nBcc: victim@mail.example', 'Hi Bcc: victim@mail.example'],
    ['a line separator', 'Hi\u2028Bcc: victim@mail.example', 'Hi Bcc: victim@mail.example'],
    ['NUL', 'Hi\0there', 'Hi there'],
    ['marks that reverse the text', 'Hi \u202Egpj.exe', 'Hi gpj.exe'],
    ['ten thousand characters', 'x'.repeat(10_000), `${'x'.repeat(149)}…`],
  ])('a subject with %s is one short line', async (_, subject, line) => {
    expect(toHeaderText(subject)).toBe(line);
    const { to, headers } = await send({ subject });
    expect(to).toEqual(['<ann@mail.example>']);
    expect(headers).not.toMatch(/^bcc/im);
    expect(headers.length).toBeLessThan(2000);
  });

  test('a name cannot add a header', async () => {
    const { headers } = await send({ replyTo: { name: 'A\r\nBcc: victim@mail.example\0', address: 'a@b.example' } });
    expect(headers).not.toMatch(/^bcc/im);
    expect(headers).toMatch(/^Reply-To: .*<a@b\.example>$/m);
  });

  test.each(['a@b.example\r\nBcc: victim@mail.example', 'a@b.example, victim@mail.example'])(
    'an address that is more than one is not sent: %j',
    async (to) => {
      smtp.letters.length = 0;
      await mailer.send({ to, subject: 'Hello', text: 'Hello' }).catch(() => {});
      expect(smtp.letters.flatMap((letter) => letter.to)).not.toContain('<victim@mail.example>');
    },
  );
});

describe('a refusal', () => {
  test.each([
    ['RCPT TO', '550 5.1.1 no such user', 'recipient'],
    ['RCPT TO', '550 no such user', 'recipient'],
    ['RCPT TO', '553 5.1.3 bad address', 'recipient'],
    ['RCPT TO', '554 5.2.1 mailbox disabled', 'recipient'],
    ['DATA', '550 5.1.1 no such user', 'recipient'],
    ['DATA', '550 no such user', 'recipient'],
    ['RCPT TO', '552 5.2.2 mailbox full', 'message'],
    ['RCPT TO', '550 5.7.1 relaying denied', 'message'],
    ['RCPT TO', '554 your address is on a list', 'message'],
    ['MAIL FROM', '553 5.1.8 sender rejected', 'message'],
    ['DATA', '554 5.7.1 spam', 'message'],
    ['DATA', '554 transaction failed', 'message'],
    ['RCPT TO', '450 4.2.1 greylisted', 'temporary'],
    ['RCPT TO', '421 4.7.0 too many connections', 'temporary'],
    ['AUTH PLAIN', '535 5.7.8 wrong password', 'temporary'],
    ['MAIL FROM', '530 5.7.0 authentication required', 'temporary'],
  ])('of %s with "%s" is about: %s', (command, response, failure) => {
    const responseCode = Number(response.slice(0, 3));
    const code = command.startsWith('AUTH') ? 'EAUTH' : 'EENVELOPE';
    expect(classifyMailFailure({ code, command, response, responseCode })).toBe(failure);
  });

  test('without any response may end', () => {
    expect(classifyMailFailure({ code: 'ETIMEDOUT' })).toBe('temporary');
    expect(classifyMailFailure({ code: 'ECONNECTION' })).toBe('temporary');
  });

  test('of a real server becomes an error that says what it said', async () => {
    smtp.refuse(1, '550 5.1.1 no such user', 'RCPT');
    const error = await send({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MailError);
    expect(error).toMatchObject({ failure: 'recipient', message: '550 5.1.1 no such user' });
  });
});
