import { expect, test } from 'vitest';
import { SEARCH_LANGUAGES } from '../../../config/search-languages.ts';
import { LANGUAGES } from './languages/index.ts';
import { DICTIONARIES } from './lexicon.ts';

test('SEARCH_LANGUAGES may be what the search has endings or words of, and nothing else', () => {
  expect(SEARCH_LANGUAGES).toEqual([...new Set([...Object.keys(DICTIONARIES), ...Object.keys(LANGUAGES)])].sort());
});
