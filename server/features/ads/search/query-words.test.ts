import { expect, test } from 'vitest';
import { splitConjunction, splitQuery } from './query-words.ts';

test.each([
  ["'sofa'", ["'sofa'"]],
  ["'sofa' | 'sofabed'", ["'sofa' | 'sofabed'"]],
  ["'red' & 'sofa'", ["'red'", "'sofa'"]],
  ["'red' & ( 'sofa' | 'sofabed' )", ["'red'", "'sofa' | 'sofabed'"]],
])('what must occur for %j', (query, parts) => {
  expect(splitConjunction(query)).toEqual(parts);
});

test.each([
  ["'red' & 'x'", ["'red'"]],
  ["'red' & 'cafe-rac'", ["'red'"]],
  ["'red' & 'it''s'", ["'red'"]],
  ["'red' & '3.5'", ["'red'"]],
  ["'red' & !'sofa'", ["'red'"]],
])('words that the list of words does not have are left out of %j', (query, parts) => {
  expect(splitConjunction(query)).toEqual(parts);
});

test.each([
  "'red' & 'sofa' | 'chair'",
  "'chair' | 'red' & 'sofa'",
  "( 'red' & 'sofa' | 'chair' ) & 'oak'",
  "'oak' & ( 'chair' | 'red' & 'sofa' )",
])('nothing need occur for %j, as far as one can see', (query) => {
  expect(splitConjunction(query)).not.toContain("'red'");
  expect(splitConjunction(query)).not.toContain("'sofa'");
});

test.each([
  ["'sofa'", ["'sofa'"]],
  ["'red' & 'it''s' & '3.5'", ["'red'", "'it''s'", "'3.5'"]],
  ["'red' & ( 'sofa' | 'sofabed' )", ["'red'", "( 'sofa' | 'sofabed' )"]],
])('the index takes the words of %j one by one', (query, parts) => {
  expect(splitQuery(query)).toEqual(parts);
});

test.each([
  "'sofa' | 'sofabed'",
  "'red' & 'sofa' | 'chair'",
  "( 'red' & 'sofa' | 'chair' ) & 'oak'",
  "'oak' & ( 'chair' | 'red' & 'sofa' )",
  "'red' & !'sofa'",
  "'this & that' & 'oak'",
  "'one' & 'two' & 'three' & 'four' & 'five'",
])('%j stays whole', (query) => {
  expect(splitQuery(query)).toEqual([query]);
});
