import { expect, test } from 'vitest';
import { splitWords } from './words.ts';

test.each(['bike, moped', 'bike\nmoped\n', 'bike، moped', 'bike、moped，', ' bike ,, moped '])(
  '%j is two words',
  (text) => expect(splitWords(text)).toEqual(['bike', 'moped']),
);
