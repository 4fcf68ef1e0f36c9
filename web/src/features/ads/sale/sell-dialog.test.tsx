import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import type { Ad } from '../../../../../contract/ads.ts';
import { type Answers, fakeApi } from '../../../test/fake-api.ts';
import { renderAt } from '../../../test/render-at.tsx';
import { sampleAd, sampleMe, sampleUser } from '../../../test/samples.ts';
import { SellDialog } from './sell-dialog.tsx';

const BUYERS = 'GET /api/ads/1/buyers?limit=10';
const SOLD = 'PATCH /api/ads/1/sold';
const ben = sampleUser({ id: '1002', username: 'ben', displayName: 'Ben Buyer' });
const ana = sampleUser({ id: '1003', username: 'ana', displayName: 'Ana Adams' });

const Owner = ({ saved }: { saved: Ad }) => {
  const [ad, setAd] = useState(saved);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {ad.isSold ? 'Sold' : 'For sale'}
      </button>
      <SellDialog ad={ad} open={open} onOpenChange={setOpen} onChange={setAd} />
    </>
  );
};

const open = async (answers: Answers, ad = sampleAd()) => {
  const bodies: unknown[] = [];
  const api = fakeApi({
    [BUYERS]: { json: [ben, ana] },
    [SOLD]: async (request) => {
      const body = await request.json();
      bodies.push(body);
      return { json: { ...ad, isSold: body.isSold } };
    },
    ...answers,
  });
  renderAt({ routes: [{ path: '/', element: <Owner saved={ad} /> }], boot: { me: sampleMe() } });
  fireEvent.click(screen.getByText('For sale'));
  await screen.findByRole('dialog', { name: 'Who bought it?' });
  return { ...api, bodies };
};
const choose = async (name: RegExp) => fireEvent.click(await screen.findByRole('radio', { name }));
const sell = () => fireEvent.click(screen.getByRole('button', { name: 'Mark as Sold' }));

test('the owner chooses the buyer, and Undo makes the ad available again', async () => {
  const { bodies } = await open({});
  await choose(/Ben Buyer/);
  sell();
  expect(await screen.findByText('Sold')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('For sale')).toBeDefined();
  expect(await screen.findByText('Marked as available')).toBeDefined();
  expect(bodies).toEqual([{ isSold: true, buyerId: '1002' }, { isSold: false }]);
});

test('a choice is needed, and “Somebody else” is one', async () => {
  const { bodies } = await open({});
  await screen.findByText('Ana Adams');
  sell();
  expect(await screen.findByText('Choose a person, or “Somebody else”.')).toBeDefined();
  expect(bodies).toEqual([]);
  await choose(/Somebody else/);
  sell();
  expect(await screen.findByText('Sold')).toBeDefined();
  expect(bodies).toEqual([{ isSold: true }]);
});

test('without any conversation, “Somebody else” is chosen', async () => {
  await open({ [BUYERS]: { json: [] } });
  await screen.findByText('No one has written to you about this item.');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Somebody else/ }).checked).toBe(true);
});

test('the person for whom the item is reserved comes first and is chosen', async () => {
  await open({}, sampleAd({ reservedFor: ana }));
  await screen.findByText('Ben Buyer');
  const radios = screen.getAllByRole<HTMLInputElement>('radio');
  expect(radios.map(({ value, checked }) => [value, checked])).toEqual([
    ['1003', true],
    ['1002', false],
    ['elsewhere', false],
  ]);
});

test('more people load on demand', async () => {
  await open({
    [BUYERS]: { json: [ben], headers: { Link: '</api/ads/1/buyers?limit=10&cursor=7>; rel="next"' } },
    'GET /api/ads/1/buyers?limit=10&cursor=7': { json: [ana] },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('Ana Adams')).toBeDefined();
});

test('an ad that was sold meanwhile closes the dialog and says so', async () => {
  await open({
    [SOLD]: { status: 409, json: { code: 'conflict', message: 'This item has been sold.', requestId: '1' } },
  });
  await choose(/Ben Buyer/);
  sell();
  expect(await screen.findByText('This item has been sold.')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a refused buyer is explained in the dialog, and the people load again', async () => {
  const message = 'You cannot choose this person. Choose another, or "Somebody else".';
  const { asked } = await open({
    [SOLD]: { status: 400, json: { code: 'validation_failed', message, fields: { buyerId: message }, requestId: '1' } },
  });
  await choose(/Ben Buyer/);
  sell();
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  await waitFor(() => expect(asked.filter((name) => name === BUYERS)).toHaveLength(2));
});

test('a list that fails to load can be retried, and the item can be sold elsewhere', async () => {
  const { answers } = await open({ [BUYERS]: { status: 500, json: {} } });
  fireEvent.click(await screen.findByRole('radio', { name: /Somebody else/ }));
  answers[BUYERS] = { json: [ben] };
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Ben Buyer')).toBeDefined();
});
