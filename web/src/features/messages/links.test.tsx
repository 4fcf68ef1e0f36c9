import { describe, expect, test } from 'vitest';
import { splitLinks, toOwnPath } from './links.ts';

const own = location.origin;
const links = (content: string) =>
  splitLinks(content).flatMap((part) => (typeof part === 'string' ? [] : [[part.text, part.url.href]]));

describe('a link', () => {
  test.each([
    ['See https://example.com/a?b=c#d now', 'https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['HTTP://EXAMPLE.COM', 'HTTP://EXAMPLE.COM', 'http://example.com/'],
    ['www.example.com', 'www.example.com', 'https://www.example.com/'],
    [
      '(https://example.com/wiki/Oak_(tree)).',
      'https://example.com/wiki/Oak_(tree)',
      'https://example.com/wiki/Oak_(tree)',
    ],
    ['Is it https://example.com/?!…', 'https://example.com/', 'https://example.com/'],
    ['“https://example.com”', 'https://example.com', 'https://example.com/'],
    ['https://аpple.com', 'https://аpple.com', 'https://xn--pple-43d.com/'],
    ['https://x.com@evil.test/', 'https://x.com@evil.test/', 'https://x.com@evil.test/'],
  ])('is found in %s', (content, text, href) => {
    expect(links(content)).toEqual([[text, href]]);
    expect(
      splitLinks(content)
        .map((part) => (typeof part === 'string' ? part : part.text))
        .join(''),
    ).toBe(content);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    '<img src=x onerror=alert(1)>',
    'https://',
    'https://a b',
    'http://user',
    'xhttps://example.com',
    'me@www.example.com',
    'https://example.com/\u202Egpj.exe',
    'https://exa\u200Bmple.com',
    'https://example.com:99999',
    `https://example.com/${'a'.repeat(1980)}`,
    'a'.repeat(2000),
    '('.repeat(1000) + ')'.repeat(1000),
  ])('is not found in %s', (content) => {
    expect(splitLinks(content)).toEqual([content]);
  });

  test('is found beside others and beside text', () => {
    expect(splitLinks('A https://a.test, www.b.test and the rest')).toMatchObject([
      'A ',
      { text: 'https://a.test' },
      ', ',
      { text: 'www.b.test' },
      ' and the rest',
    ]);
    expect(splitLinks('')).toEqual([]);
  });
});

describe('the path of an own page', () => {
  test.each([
    ['/ads/7?x=1#y', '/ads/7?x=1#y'],
    ['/', '/'],
    ['/users/seller_one', '/users/seller_one'],
    ['//evil.test/ads/7', null],
    ['/api/auth/x?returnTo=https://evil.test', null],
    ['/media/abc.webp', null],
    ['/no/such/page', null],
  ])('of %s is %s', (path, expected) => {
    expect(toOwnPath(new URL(own + path))).toBe(expected);
  });

  test('is null for other hosts, other ports and addresses with a password', () => {
    for (const url of ['https://evil.test/ads/7', 'http://localhost:1/ads/7', own.replace('//', '//me:secret@')])
      expect(toOwnPath(new URL(url))).toBeNull();
  });
});
