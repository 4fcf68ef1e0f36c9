import { expect, test } from 'vitest';
import { toListed } from './filters.ts';

test.each(['!!!', '?', ' … ', '— *', '\u200B!'])('“%s” is no word', (search) => {
  expect(toListed({ search })).toEqual({});
});

test.each(['a', '7', '!a!', '猫', 'ー', '½', '™', '🚲', '🇩🇪', '☕️'])('“%s” is a word', (search) => {
  expect(toListed({ search })).toEqual({ search });
});

test('a search without a word is left out of what is listed, with the order by match and the other filters kept', () => {
  expect(toListed({ search: '!!!', exact: 'true', sort: 'best', maxPrice: '9' })).toEqual({ maxPrice: '9' });
  const filters = { search: 'sofa', sort: 'best', maxPrice: '9' };
  expect(toListed(filters)).toEqual(filters);
  expect(toListed({ category: 'books' })).toEqual({ category: 'books' });
});
