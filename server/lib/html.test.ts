import { expect, test } from 'vitest';
import { escapeHtml, shortenLine } from './html.ts';

test('escaped text has only characters that XML allows', () => {
  const all = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).join('x');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must be gone
  expect(escapeHtml(all)).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
  expect(escapeHtml(all).isWellFormed()).toBe(true);
  expect(escapeHtml('\u001B[31m <b> & "👍" \'é\'\n')).toBe('[31m &lt;b&gt; &amp; &quot;👍&quot; &#39;é&#39;\n');
  expect(escapeHtml('half \uD83D')).toBe('half ');
});

test('a line is shortened between words, or between graphemes', () => {
  expect(shortenLine('one two\nthree', 40)).toBe('one two three');
  expect(shortenLine('one two three four', 11)).toBe('one two…');
  expect(shortenLine('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 9)).toBe('👨‍👩‍👧‍👦…');
});
