/** Characters on which careless code takes the square of their number. A class repeats its text up to a length. */
export const AWKWARD: Record<string, string> = {
  blanks: ' ',
  tabs: '\t',
  'line ends': '\n',
  'carriage returns': '\r',
  'blanks and line ends': ' \n',
  'vertical tabs': '\v',
  'form feeds': '\f',
  'next lines': '\u0085',
  'no-break spaces': '\u00a0',
  'line separators': '\u2028',
  'ideographic spaces': '\u3000',
  'zero-width spaces': '\u200b',
  joiners: '\u200d',
  'bidi controls': '\u202e',
  fillers: '\u3164',
  'combining marks': '\u0301',
  'combining marks in falling class': '\u0345\u0301\u0323\u0334',
  'letters with marks': 'a\u0301\u0323',
  'decomposed syllables': '\u1112\u1161\u11ab',
  emoji: '👩\u200d👧',
  flags: '🇩🇪',
  'characters beyond 16 bits': '\u{1d53a}',
  ligatures: '\ufdfa',
  letters: 'a',
  'capital letters': 'İ',
  digits: '1',
  zeros: '0',
  slashes: '/',
  backslashes: '\\',
  dots: '.',
  commas: ',',
  semicolons: ';',
  'equals signs': '=',
  'at signs': '@',
  'address-like': 'a@a.',
  'per cents': '%',
  quotes: '"',
  angles: '<',
  brackets: '[',
  braces: '{',
  'dollars and carets': '$^',
  ampersands: '&',
  hyphens: '-',
  NUL: '\0',
  'word, blank': 'ab ',
  'data addresses': 'data:image/png;base64,',
};

/** A text of the class: `x`, as many repetitions as fit into `bytes`, and `x` again, since many faults need an end. */
export const fill = (unit: string, bytes: number, measure: (text: string) => number): string => {
  const times = Math.floor((bytes - 2) / measure(unit));
  // falling class: all of the first mark, then all of the second …
  const isSorted = unit === AWKWARD['combining marks in falling class'];
  const body = isSorted ? [...unit].map((mark) => mark.repeat(times)).join('') : unit.repeat(times);
  return `x${body}x`;
};
