import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanForeignLine, cleanText, countCharacters, cutText, isVisible, shorten, text } from './text.ts';

const title = text({ max: 100, required: 'fields.titleRequired', tooLong: 'fields.titleTooLong' });
const message = text({ max: 2000, required: 'fields.messageRequired', multiline: true });
const problemsOf = (schema: typeof title, given: string) =>
  schema.safeParse(given).error?.issues.map((issue) => issue.message);

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(' ', '\n', '\t', '\u2028', '\v', '\u0301', '\u0323', '\u200D', '\u3164', 'a', '👍🏽', '\u202E'),
      {
        maxLength: 300,
      },
    )
    .map((parts) => parts.join('')),
);

describe('any text', () => {
  test.each([true, false])('is clean after one cleaning (multiline: %s)', (multiline) => {
    fc.assert(
      fc.property(anyText, (given) => {
        const cleaned = cleanText(given, multiline);
        expect(cleanText(cleaned, multiline)).toBe(cleaned);
        expect(cleaned.length).toBeLessThanOrEqual(given.normalize('NFC').length * 3);
        expect(cleaned).not.toMatch(/[\r\v\f\u0085\u2028\u2029\u202A-\u202E\u2066-\u2069]/);
        if (!multiline) expect(cleaned).not.toMatch(/[\n\t]/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a text that is too long', () => {
  test.each([' ', '\n', '\t \n', 'a', '\u0301', '\u0323\u0301', '\u3164', '👍', '\u2028'])(
    'is refused before it is worked on: 60,000 × %j',
    (unit) => {
      const given = `x${unit.repeat(60_000)}x`;
      expect(problemsOf(title, given)).toEqual(['Title must be less than 100 characters']);
      expect(problemsOf(message, given)).toEqual(['Must be at most 2000 characters']);
    },
  );

  test('is cleaned in linear time all the same', () => {
    const timeOf = (given: string) => {
      const start = process.cpuUsage();
      cleanText(given);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    // marks of falling classes make NFC sort
    const falling = ['\u0345', '\u0301', '\u0327', '\u05B0'].join('');
    for (const unit of [' ', falling, '\u0301\u0323', '\t', ' \n', '\u200D'])
      for (const given of [unit.repeat(60_000), `a${unit.repeat(60_000)}a`])
        expect(Math.min(timeOf(given), timeOf(given)) / 1000, JSON.stringify(unit)).toBeLessThan(200);
  });

  test('may have blanks around it, and characters of several units', () => {
    expect(title.parse(`   ${'👍'.repeat(100)}   `)).toBe('👍'.repeat(100));
    expect(title.parse('e\u0323\u0302'.repeat(100))).toBe('ệ'.repeat(100));
    expect(problemsOf(title, 'a'.repeat(101))).toEqual(['Title must be less than 100 characters']);
  });
});

test.each([
  ['nothing', ''],
  ['spaces', ' \n\t\u00A0\u3000'],
  ['a Hangul filler', '\u3164'],
  ['other fillers', '\u115F\u1160\uFFA0\u2800'],
  ['zero-width characters', '\u200B\u200C\u200D\u2060\uFEFF'],
  ['marks alone', '\u0301\uFE0F'],
  ['direction marks', '\u200E\u200F\u061C\u202E'],
  ['a soft hyphen and a grapheme joiner', '\u00AD\u034F'],
  ['tags', '\u{E0041}\u{E007F}'],
])('%s is not a text', (_name, given) => {
  expect(isVisible(given)).toBe(false);
  expect(problemsOf(title, given)).toContain('Title is required');
});

test.each([
  ['Persian with a non-joiner', 'می\u200Cخواهم'],
  ['Hindi with a joiner', 'क्\u200Dष'],
  ['Hebrew with points', 'שָׁלוֹם'],
  ['a family', '👨‍👩‍👧‍👦'],
  ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
  ['Korean', '의자'],
  ['Vietnamese', 'Ghế gỗ'],
  ['a heart', '❤️'],
])('%s stays as it is', (_name, given) => {
  expect(cleanText(given)).toBe(given.normalize('NFC'));
});

test.each(['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\f'])('%j ends a line', (end) => {
  expect(message.parse(`one${end}two`)).toBe('one\ntwo');
  expect(title.parse(`one ${end} ${end}two`)).toBe('one two');
});

test('characters are counted as people count code points', () => {
  expect(countCharacters('👍a')).toBe(2);
});

test('an optional text in which nothing is visible is empty', () => {
  expect(text({ max: 50 }).parse('\u3164\u200B \u2800')).toBe('');
});

describe('a text that is cut', () => {
  test('ends between graphemes', () => {
    expect(cutText('ab👨‍👩‍👧‍👦c', 4)).toBe('ab');
    expect(shorten('ab👨‍👩‍👧‍👦c', 12)).toBe('ab👨‍👩‍👧‍👦c');
    expect(shorten('ab👨‍👩‍👧‍👦cde', 10)).toBe('ab👨‍👩‍👧‍👦…');
    expect(shorten('क्षत्रिय', 4)).toBe('क्ष…');
  });

  test('is a beginning of at most so many code points, whatever it is', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 50 }), (given, max) => {
        const cut = cutText(given, max);
        expect(given.startsWith(cut)).toBe(true);
        expect(countCharacters(cut)).toBeLessThanOrEqual(max);
        expect(countCharacters(shorten(given, max))).toBeLessThanOrEqual(max);
        if (given.isWellFormed()) expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});

test.each([
  ['Maya\u202E evil', 'Maya evil'],
  ['a\u0007b\u0000c\u009Fd\uFFFE', 'abcd'],
  [' \n two\u2028lines ', 'two lines'],
  ['\u3164\u200B', ''],
  ['half \uD83D', 'half'],
  [`z${'\u0301\u0323'.repeat(25)}`, 'ẓ́\u0323\u0301\u0301'],
  ['x'.repeat(100_000), 'x'.repeat(100)],
  ['محمد 🎉 علي', 'محمد 🎉 علي'],
])('the foreign line %j becomes %j', (given, expected) => {
  const line = cleanForeignLine(given, 100);
  if (given.startsWith('z')) expect(countCharacters(line)).toBeLessThanOrEqual(6);
  else expect(line).toBe(expected);
});

test('any foreign line is one that a person may type', () => {
  fc.assert(
    fc.property(anyText, (given) => {
      const line = cleanForeignLine(given, 100);
      expect(text({ max: 100 }).parse(line)).toBe(line);
    }),
    { numRuns: 2000 },
  );
});
