import { expect, test } from 'vitest';
import { EmailAddress, isEmailAddress } from './email.ts';

test.each([
  ['ann@mail.example', 'ann@mail.example'],
  ['  ann@mail.example\n', 'ann@mail.example'],
  ['Ann.Lee+ads@Mail.EXAMPLE', 'Ann.Lee+ads@mail.example'],
  ["o'neil_#1@sub.mail-host.example", "o'neil_#1@sub.mail-host.example"],
  ['ann@müller.example', 'ann@xn--mller-kva.example'],
  ['ann@例え.テスト', 'ann@xn--r8jz45g.xn--zckzah'],
  [`${'a'.repeat(64)}@mail.example`, `${'a'.repeat(64)}@mail.example`],
])('%j is the address %j', (entered, expected) => {
  expect(EmailAddress.parse(entered)).toBe(expected);
});

const ONE = 'Enter one e-mail address';
const FORM = 'Enter an e-mail address such as name@example.com';

test.each([
  ['', 'Enter your e-mail address'],
  ['   ', 'Enter your e-mail address'],
  ['ann', FORM],
  ['ann@', FORM],
  ['@mail.example', FORM],
  ['ann@mail', FORM],
  ['ann@localhost', FORM],
  ['ann@127.0.0.1', FORM],
  ['ann@1.2', FORM],
  ['ann@[127.0.0.1]', FORM],
  ['ann@-mail.example', FORM],
  ['ann@mail..example', FORM],
  ['ann@mail.example.', FORM],
  ['.ann@mail.example', FORM],
  ['ann..lee@mail.example', FORM],
  ['ann@b@mail.example', FORM],
  ['"ann lee"@mail.example', FORM],
  ['"ann@evil.example"@mail.example', FORM],
  ['Ann <ann@mail.example>', FORM],
  ['änn@mail.example', FORM],
  ['ann(comment)@mail.example', FORM],
  ['ann@mail.example?bcc=x@y.example', FORM],
  ['ann@mail.example/path', FORM],
  ['ann@mail.example:25', FORM],
  ['ann@ma\u200bil.example', FORM],
  ['ann@mail.example\r\nBcc: b@mail.example', FORM],
  ['ann\0@mail.example', FORM],
  ['ann@mail.example, b@mail.example', ONE],
  ['ann@mail.example;b@mail.example', ONE],
  [`${'a'.repeat(65)}@mail.example`, FORM],
  [`ann@${'a'.repeat(64)}.example`, FORM],
  [`${'a'.repeat(10_000)}@mail.example`, 'Must be at most 254 characters'],
  [42, 'Enter your e-mail address'],
])('%j is refused: %s', (entered, message) => {
  const parsed = EmailAddress.safeParse(entered);
  expect(parsed.error?.issues[0]?.message).toBe(message);
});

test('an address as it is stored is at most 254 characters of ASCII', () => {
  const long = `${'a'.repeat(60)}@${'b.'.repeat(90)}example.com`;
  expect([long.length, isEmailAddress(long)]).toEqual([252, true]);
  expect(isEmailAddress(`aaa${long}`)).toBe(false);
  expect(isEmailAddress('ann@müller.example')).toBe(false);
});
