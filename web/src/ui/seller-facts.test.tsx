import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sampleUser } from '../test/samples.ts';
import { SellerFacts } from './seller-facts.tsx';

test('says deals, answer time and years on X', () => {
  const xAccountCreated = '2009-04-01T10:00:00.000Z';
  render(
    <SellerFacts user={sampleUser({ rating: { deals: 12, positive: 100 }, answerMinutes: 110, xAccountCreated })} />,
  );
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '12 deals · 100 % positive',
    'Usually answers within 2 hours',
    'On X since 2009, X account created Apr 1, 2009',
  ]);
});

test('says nothing that is not known', () => {
  const { container } = render(<SellerFacts user={{ xAccountCreated: null }} />);
  expect(container.textContent).toBe('');
});

test.each([
  [0, 'an hour'],
  [60, 'an hour'],
  [61, '2 hours'],
  [1380, '23 hours'],
  [1381, 'a day'],
  [1441, '2 days'],
  [10_080, '7 days'],
])('%i minutes are "within %s"', (answerMinutes, expected) => {
  const { container } = render(<SellerFacts user={{ xAccountCreated: null, answerMinutes }} />);
  expect(container.textContent).toBe(`Usually answers within ${expected}`);
});

test('a longer time than a week is not said', () => {
  const { container } = render(<SellerFacts user={{ xAccountCreated: null, answerMinutes: 10_081 }} />);
  expect(container.textContent).toBe('');
});
