import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Deal } from '../../../../contract/deals.ts';
import { type Answers, fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleDeal, sampleMe, sampleRating } from '../../test/samples.ts';
import { Purchases, Sales } from './deal-sections.tsx';

const PURCHASES = 'GET /api/purchases?limit=10';
const SALES = 'GET /api/sales?limit=10';
const RATE = 'POST /api/deals/30/rating';
const UNDO = 'DELETE /api/purchases/30';

const show = (purchases: Deal[], more: Answers = {}, at = '/') => {
  const api = fakeApi({ [PURCHASES]: { json: purchases }, [SALES]: { json: [] }, ...more });
  renderAt({
    routes: [
      {
        path: '/',
        element: (
          <>
            <Purchases />
            <Sales />
          </>
        ),
      },
    ],
    at,
    boot: { me: sampleMe() },
  });
  return api;
};
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const refusal = (message: string) => ({ status: 409, json: { code: 'conflict', message, requestId: '1' } });
const ownRating = { ...sampleRating({ id: '91', text: 'All fine' }), isRevealed: false, isRemoved: false };

test('a deal shows item, person and date, and what each rated once it is public', async () => {
  show([
    sampleDeal(),
    sampleDeal({
      id: '31',
      role: 'seller',
      canRate: false,
      canUndo: false,
      ownRating: { ...ownRating, isRevealed: true },
      otherRating: sampleRating({ value: 'bad', tags: ['no_show'], text: '' }),
    }),
  ]);
  const [open, over] = (await screen.findAllByRole('listitem')).filter((item) => within(item).queryByRole('heading'));
  expect(open!.textContent).toContain('Bought from Olga Other');
  expect(open!.textContent).toContain('Jan 5, 2026');
  expect(within(open!).getByText(/^You can rate until/)).toBeDefined();
  expect(over!.textContent).toContain('Sold to');
  expect(over!.textContent).toContain('Did not show up');
  expect(within(over!).queryByRole('button')).toBeNull();
});

test('both sections say how they fill, and can be loaded again after a failure', async () => {
  const { answers } = show([], { [SALES]: { status: 500, json: {} } });
  expect(await screen.findByText(/^When a seller names you as the buyer/)).toBeDefined();
  answers[SALES] = { json: [] };
  await press('Try again');
  expect(await screen.findByText(/^When you mark an ad as sold/)).toBeDefined();
});

test('the address leads to the section, and to a deal', async () => {
  Element.prototype.scrollIntoView = () => {};
  show([sampleDeal()], {}, '/#purchases');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Purchases'));
  cleanup();
  show([sampleDeal()], {}, '/#deal-30-ratings');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Oak table'));
});

test('a rating has a value, tags and a text of limited length; it waits for that of the other person', async () => {
  const bodies: unknown[] = [];
  const api = show([sampleDeal()], {
    [RATE]: async (request) => {
      bodies.push(await request.json());
      return { status: 201, json: ownRating };
    },
  });
  await press('Rate Olga Other for Oak table');
  expect(await screen.findByText(/^Neither of you sees/)).toBeDefined();
  await press('Send Rating');
  expect(await screen.findByText('Choose good, neutral or bad')).toBeDefined();
  const text = screen.getByLabelText('In your words (optional)');
  fireEvent.change(text, { target: { value: 'x'.repeat(301) } });
  expect(await screen.findByText('Characters over the limit: 1')).toBeDefined();
  fireEvent.change(text, { target: { value: 'All fine' } });
  fireEvent.click(screen.getByLabelText('Bad'));
  fireEvent.click(await screen.findByLabelText('Did not show up'));
  fireEvent.click(screen.getByLabelText('Good'));
  fireEvent.click(await screen.findByLabelText('Friendly'));
  expect(screen.queryByLabelText('Did not show up')).toBeNull();
  fireEvent.click(screen.getByLabelText('Punctual'));
  api.answers[PURCHASES] = { json: [sampleDeal({ canRate: false, ownRating })] };
  await press('Send Rating');
  expect(await screen.findByText('Your rating')).toBeDefined();
  expect(await screen.findByText('You rated Olga Other')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Rate/ })).toBeNull();
  expect(bodies).toEqual([{ value: 'good', tags: ['friendly', 'punctual'], text: 'All fine' }]);
});

test('a deal that was rated meanwhile closes the dialog and loads again', async () => {
  const api = show([sampleDeal()], { [RATE]: refusal('You have rated this deal already.') });
  await press(/^Rate Olga/);
  fireEvent.click(await screen.findByLabelText('Neutral'));
  api.answers[PURCHASES] = { json: [sampleDeal({ canRate: false, ownRating })] };
  await press('Send Rating');
  expect(await screen.findByText('You have rated this deal already.')).toBeDefined();
  expect(await screen.findByText('Your rating')).toBeDefined();
});

test('what was typed survives a failure and a closed dialog', async () => {
  show([sampleDeal()], { [RATE]: { status: 500, json: {} } });
  await press(/^Rate Olga/);
  fireEvent.click(await screen.findByLabelText('Bad'));
  fireEvent.change(screen.getByLabelText('In your words (optional)'), { target: { value: 'Never came' } });
  await press('Send Rating');
  expect((await screen.findByRole('alert')).textContent).toBe('Your rating could not be saved. Please try again.');
  await press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press(/^Rate Olga/);
  expect((await screen.findByLabelText<HTMLInputElement>('Bad')).checked).toBe(true);
  expect(screen.getByDisplayValue('Never came')).toBeDefined();
});

test('the buyer says that they did not buy this, after a question', async () => {
  const api = show([sampleDeal()], { [UNDO]: { status: 204 } });
  await press(/^I did not buy this: /);
  await press('Cancel');
  expect(api.asked).not.toContain(UNDO);
  await press(/^I did not buy this: /);
  api.answers[PURCHASES] = { json: [] };
  await press('I did not buy this');
  expect(await screen.findByText(/^When a seller names you as the buyer/)).toBeDefined();
  expect(await screen.findByText('The purchase is removed')).toBeDefined();
});

test('an undo that comes too late says so and loads the list again', async () => {
  const api = show([sampleDeal()], { [UNDO]: refusal('The time for this is over.') });
  await press(/^I did not buy this: /);
  api.answers[PURCHASES] = { json: [sampleDeal({ canUndo: false, canRate: false })] };
  await press('I did not buy this');
  expect(await screen.findByText('The time for this is over.')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('button', { name: /^I did not/ })).toBeNull());
});
