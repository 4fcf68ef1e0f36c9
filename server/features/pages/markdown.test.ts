import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WRITTEN_LANGUAGES } from '../../../contract/languages.ts';
import { TEXT_PAGES } from '../../../contract/page-texts.ts';
import { getBuiltIn } from './built-in/texts.ts';
import { fillPlaceholders, renderMarkdown } from './markdown.ts';

const toHtml = (source: string): string => {
  const { intro, sections } = renderMarkdown(source);
  return [intro, ...sections.flatMap(({ html, parts }) => [html, ...parts.map((part) => part.html)])].join('\n');
};

const TAG = /<\/?(p|ul|ol|li|em|strong|s|code|blockquote)>|<\/a>|<(br|hr)>|<ol start="\d+">/g;
const LINK =
  /<a href="(https?:\/\/|mailto:|\/(?![/\\])|#section-)[^"<>]*"( target="_blank" rel="nofollow ugc noopener")?>/g;

/** What is left of the HTML without the tags that a page may have. */
const findForeign = (source: string): string[] =>
  toHtml(source)
    .replace(TAG, '')
    .replace(LINK, '')
    .match(/<.{0,60}/gs) ?? [];

test('paragraphs, emphasis, lists, quotations and links', () => {
  const source = 'Some *fine* **text** with `code`.\n\n> quoted\n\n3. three\n4. four\n\n- a\n  - b';
  expect(toHtml(source)).toBe(
    [
      '<p>Some <em>fine</em> <strong>text</strong> with <code>code</code>.</p>',
      '<blockquote>\n<p>quoted</p>\n</blockquote>',
      '<ol start="3">\n<li>three</li>\n<li>four</li>\n</ol>',
      '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>',
    ].join('\n'),
  );
});

test('headings begin sections and their parts, with ids of their own', () => {
  expect(
    renderMarkdown('Before\n\n# One *two*\n\ntext\n\n### Part\n\nof it\n\nOne two\n---\n\n## 料金 !\n\n#### Deep'),
  ).toEqual({
    intro: '<p>Before</p>',
    sections: [
      {
        id: 'section-one-two',
        title: 'One two',
        html: '<p>text</p>',
        parts: [{ title: 'Part', html: '<p>of it</p>' }],
      },
      { id: 'section-one-two-2', title: 'One two', html: '', parts: [] },
      { id: 'section-料金', title: '料金 !', html: '<p><strong>Deep</strong></p>', parts: [] },
    ],
  });
});

test.each([
  [
    '[x](https://a.example/?a=1&b=2)',
    '<a href="https://a.example/?a=1&amp;b=2" target="_blank" rel="nofollow ugc noopener">x</a>',
  ],
  [
    'https://a.example',
    '<a href="https://a.example" target="_blank" rel="nofollow ugc noopener">https://a.example</a>',
  ],
  ['[x](/privacy)', '<a href="/privacy">x</a>'],
  ['[x](#料金)', '<a href="#section-%E6%96%99%E9%87%91">x</a>'],
  ['[x](#%E0)', '<a href="#section-%E0">x</a>'],
  ['me@a.example', '<a href="mailto:me@a.example">me@a.example</a>'],
  ['[x](https://a.example "a title")', '<a href="https://a.example" target="_blank" rel="nofollow ugc noopener">x</a>'],
  ['a.example', 'a.example'],
])('%s becomes %s', (source, html) => {
  expect(toHtml(source)).toBe(`<p>${html}</p>`);
});

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#x6a;avascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:x)',
  '[x](file:///etc/passwd)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](<\\\\evil.example>)',
  '<javascript:alert(1)>',
  '[x][y]\n\n[y]: javascript:alert(1)',
])('%s is no link', (source) => {
  expect(toHtml(source)).not.toContain('<a ');
});

test('no link carries a password', () => {
  expect(toHtml('[x](https://user:secret@evil.example)')).not.toContain('"https://user:');
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<div onclick="x()">text</div>',
  '<!-- comment -->',
  '![pixel](https://evil.example/pixel.gif)',
  '[![pixel](https://evil.example/pixel.gif)](https://a.example)',
  '<iframe src="https://evil.example">',
  '# <svg onload=alert(1)>',
  '[x](https://a.example/"onmouseover="alert(1))',
  '[x](https://a.example "\\"onmouseover=alert(1)")',
  '`<b>`',
])('%s brings no tag of its own, and loads nothing', (source) => {
  expect(findForeign(source)).toEqual([]);
  expect(toHtml(source)).not.toMatch(/<img|<script|<[^>]* on\w+=/i);
});

const PIECES = [
  ...[
    '<',
    '>',
    '"',
    "'",
    '&',
    '\\',
    '`',
    '*',
    '_',
    '~~',
    '[',
    ']',
    '(',
    ')',
    '![',
    '](',
    '#',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '> ',
    '    ',
  ],
  ...[
    'javascript:',
    'https://a.example/',
    'mailto:',
    '//',
    '&#x6a;',
    '&quot;',
    '<a href="',
    '<img src=x onerror=',
    '<script>',
    '{site}',
  ],
  ...['\t', ' ', 'x', 'ß', '\u202e', '---', '===', '[y]: ', '"title"', '@', 'www.', '%0a', '%zz', '料'],
];

test('a link without an address is only its words', () =>
  expect(toHtml('[a *b*]() [c](/d)')).toBe('<p>a <em>b</em> <a href="/d">c</a></p>'));

test('no text brings a tag or an attribute that a page may not have', () => {
  const noise = fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 }));
  fc.assert(
    fc.property(fc.array(noise, { maxLength: 60 }), (pieces) => {
      const source = pieces.join('');
      expect(findForeign(source)).toEqual([]);
      const { sections } = renderMarkdown(source);
      expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
    }),
    { numRuns: 2000 },
  );
});

test('a value never becomes markup, wherever it stands', () => {
  const value = fc.array(fc.constantFrom(...PIECES.filter((piece) => !/\n|\t|\u202e/.test(piece))), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(value, (pieces) => {
      const site = pieces.join('').trim();
      fc.pre(site !== '' && !/ {2}|@/.test(site));
      const filled = fillPlaceholders('A {site} b', { site });
      const decode = (html: string) =>
        html.replace(
          /&(lt|gt|quot|amp);/g,
          (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name] ?? '',
        );
      expect(decode(toHtml(filled))).toBe(`<p>A ${site} b</p>`);
    }),
    { numRuns: 1000 },
  );
});

test('names in braces are filled in, mailboxes become links, other braces stay', () => {
  const values = { site: 'Kettle_& *Co*', mail: 'a_b_@c.example' };
  expect(toHtml(fillPlaceholders('{site}: {mail}, [us](mailto:{mail}?subject=Hi), {other} {toString}', values))).toBe(
    '<p>Kettle_&amp; *Co*: <a href="mailto:a_b_@c.example">a_b_@c.example</a>, <a href="mailto:a_b_@c.example?subject=Hi">us</a>, {other} {toString}</p>',
  );
});

test.each(['[', '[]', '[a](', '](', '![', '*a_', '> ', '- [\n', '1. ', '`a', '<a', 'http://', '[a]: b\n', '#\n', '&#'])(
  '100 kB of %j are no more than text',
  (piece) => {
    const source = piece.repeat(Math.ceil(100_000 / piece.length));
    expect(findForeign(source)).toEqual([]);
  },
);

const listMarks = (text: string): string[] => (text.match(/\{\w+\}|\]\([^)]+\)/g) ?? []).toSorted();
const countLines = (text: string): number => text.match(/^- /gm)?.length ?? 0;

describe.each(WRITTEN_LANGUAGES)('in %s', (language) => {
  test.each(TEXT_PAGES)(
    'the built-in text of %s is nothing but text, with the parts and values of the English one',
    (page) => {
      const [own, english] = [getBuiltIn(page, language), getBuiltIn(page, 'en')];
      if (page === 'imprint') return expect(own).toBeNull();
      const outline = (text = '') => renderMarkdown(text).sections.map(({ parts }) => parts.length);
      expect(own).toMatchObject({ language, updated: english?.updated });
      expect(findForeign(own?.text ?? '')).toEqual([]);
      expect(outline(own?.text)).toEqual(outline(english?.text));
      expect(listMarks(own?.text ?? '')).toEqual(listMarks(english?.text ?? ''));
      expect(countLines(own?.text ?? '')).toBe(countLines(english?.text ?? ''));
    },
  );
});

test('a language without texts of its own has the English ones', () => {
  expect(getBuiltIn('privacy', 'en-XA')).toEqual(getBuiltIn('privacy', 'en'));
});

test('built-in texts have the sections that their pages lay out', () => {
  const count = (page: 'safety-tips' | 'how-it-works' | 'terms-of-service') =>
    renderMarkdown(getBuiltIn(page, 'en')!.text).sections.map(({ parts }) => parts.length);
  expect(count('safety-tips')).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(count('how-it-works')).toEqual([0, 0, 0, 0, 4, 4, 4]);
  expect(count('terms-of-service')).toHaveLength(10);
});
