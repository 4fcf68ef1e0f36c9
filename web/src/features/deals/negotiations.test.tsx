import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Negotiation } from '../../../../contract/offers.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe, sampleMessage, sampleUser } from '../../test/samples.ts';
import { Negotiations } from './negotiations.tsx';

const OFFERS = 'GET /api/offers?limit=10';
const offer = {
  id: '5',
  amount: '90.00',
  status: 'open',
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  isOwn: true,
} as const;
const sample = (id: string, fields: Partial<Negotiation> = {}, ad = {}): Negotiation => ({
  ad: { ...sampleMessage().ad, id, ...ad },
  seller: sampleUser(),
  offer,
  ...fields,
});

const show = (answer: object) => {
  const api = fakeApi({ [OFFERS]: answer });
  renderAt({ routes: [{ path: '/', element: <Negotiations /> }], boot: { me: sampleMe({ id: '1002' }) } });
  return api;
};

test('each line says the offer, the reservation and where to go on', async () => {
  show({
    json: [
      sample('1'),
      sample('2', { offer: { ...offer, isOwn: false } }),
      sample(
        '3',
        { offer: { ...offer, status: 'accepted' } },
        { reservation: 'own', reservedUntil: '2026-11-30T10:00:00.000Z' },
      ),
      sample('4', { offer: { ...offer, status: 'void' } }, { isSold: true }),
      sample('5', { offer: null }, { reservation: 'elsewhere' }),
    ],
  });
  const items = await screen.findAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/You offered \$90.* left/),
    expect.stringMatching(/Sally Seller offered \$90.* left/),
    expect.stringContaining('You offered $90AcceptedReserved for you until November 30'),
    expect.stringContaining('No longer validSold'),
    expect.stringMatching(/^Oak tableReservedSally Seller/),
  ]);
  const links = items.map((item) => within(item).getByRole('link', { name: 'View Conversation' }).getAttribute('href'));
  expect(links).toEqual(['1', '2', '3', '4', '5'].map((id) => `/messages/${id}/1001`));
});

test('without any, one line says how it fills', async () => {
  show({ json: [] });
  expect(await screen.findByText(/^When you make an offer/)).toBeDefined();
});

test('says when they cannot be loaded, and loads them again', async () => {
  const { answers } = show({ status: 503 });
  expect(await screen.findByText('Failed to load your offers')).toBeDefined();
  answers[OFFERS] = { json: [sample('1')] };
  screen.getByRole('button', { name: 'Try again' }).click();
  expect(await screen.findByText('You offered', { exact: false })).toBeDefined();
});
