import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ExpiryQuestion, ExpiryState } from '../../../contract/expiry.ts';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd, sampleMe } from '../test/samples.ts';
import { StillAvailablePage } from './still-available.tsx';

const READ = 'GET /api/expiry-question?token=signed';
const ANSWER = 'POST /api/expiry-question';
const ENDS = '2099-01-06T12:00:00.000Z';
const LATER = '2099-02-06T12:00:00.000Z';

const sampleQuestion = (fields: Partial<ExpiryQuestion> = {}): ExpiryQuestion => ({
  ad: { id: '1', title: 'Oak table', price: '0.00', priceType: 'free', thumbUrl: null },
  state: 'open',
  expiresAt: ENDS,
  ...fields,
});
const show = (query: string, me: ReturnType<typeof sampleMe> | null = null) =>
  renderAt({
    routes: [{ path: '/still-available', element: <StillAvailablePage /> }],
    at: `/still-available${query}`,
    boot: { me },
  });
const heading = async (name: string) => screen.findByRole('heading', { level: 1, name });
const listButtons = () => screen.queryAllByRole('button').map(({ textContent }) => textContent);
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('the link of a mail asks, with the answer of the link first, and a click renews', async () => {
  const renewed = sampleQuestion({ state: 'renewed', expiresAt: LATER });
  const sent: unknown[] = [];
  const api = fakeApi({
    [READ]: { json: sampleQuestion() },
    [ANSWER]: async (request) => {
      sent.push(await request.json());
      return { json: renewed };
    },
  });
  show('?answer=sold&token=signed');
  await heading('Is this still available?');
  expect(screen.getByText('Oak table')).toBeDefined();
  expect(screen.getByText('Free')).toBeDefined();
  expect(listButtons()).toEqual(['Mark as Sold', 'Renew', 'Let it expire']);
  expect(api.asked).toEqual([READ]);
  press('Renew');
  const done = await heading('Your ad is renewed');
  expect(document.activeElement).toBe(done);
  expect(screen.getByText(/It is live until/).textContent).toContain('Feb 6, 2099');
  expect(sent).toEqual([{ token: 'signed', answer: 'renew' }]);
  expect(listButtons()).toEqual([]);
});

test.each<[ExpiryState, string]>([
  ['renewed', 'This ad has been renewed already'],
  ['sold', 'This ad is marked as sold'],
  ['hidden', 'This ad cannot be renewed now'],
  ['deleted', 'This ad has been deleted'],
])('the page says that an ad is %s', async (state, title) => {
  fakeApi({ [READ]: { json: sampleQuestion({ state }) } });
  show('?token=signed');
  await heading(title);
  expect(listButtons()).toEqual([]);
  expect(screen.getByRole('link', { name: 'My Ads' })).toBeDefined();
});

test('an expired ad can be renewed or marked as sold', async () => {
  fakeApi({ [READ]: { json: sampleQuestion({ state: 'expired' }) } });
  show('?answer=expire&token=signed');
  await heading('Is this still available?');
  expect(listButtons()).toEqual(['Renew', 'Mark as Sold']);
});

test('a click that comes too late shows what the ad is now', async () => {
  const states: ExpiryState[] = ['open', 'sold'];
  fakeApi({
    [READ]: () => ({ json: sampleQuestion({ state: states.shift()! }) }),
    [ANSWER]: { status: 409, json: { code: 'conflict', message: 'This ad is marked as sold.', requestId: '1' } },
  });
  show('?token=signed');
  await heading('Is this still available?');
  press('Renew');
  await heading('This ad is marked as sold');
});

test.each([
  ['link_invalid', 400, 'This link is not valid'],
  ['link_expired', 410, 'This link has expired'],
])('a link that is refused with %s says what to do', async (code, status, title) => {
  fakeApi({ [READ]: { status, json: { code, message: 'No', requestId: '1' } } });
  show('?token=signed');
  await heading(title);
});

test('the page without a token or an ad says that the link is not complete', async () => {
  fakeApi({});
  show('');
  await heading('This link is not complete');
});

const OWNER = `?ad=1&ends=${encodeURIComponent(ENDS)}`;
const ownAd = sampleAd({ state: 'active', isSold: false, expiresAt: ENDS });

test('the owner answers from the notification, signed in', async () => {
  const bodies: unknown[] = [];
  let isSold = false;
  fakeApi({
    'GET /api/ads/1': () => ({ json: { ...ownAd, isSold } }),
    'GET /api/ads/1/buyers?limit=10': { json: [] },
    'PATCH /api/ads/1/sold': async (request) => {
      const body = await request.json();
      bodies.push(body);
      isSold = body.isSold;
      return { json: { ...ownAd, isSold } };
    },
  });
  show(OWNER, sampleMe());
  await heading('Is this still available?');
  press('Mark as Sold');
  const dialog = within(await screen.findByRole('dialog', { name: 'Who bought it?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  press('Mark as Sold');
  await screen.findByText('No one has written to you about this item.');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Mark as Sold' }));
  await screen.findByText('Your ad is marked as sold');
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await heading('Is this still available?');
  expect(bodies).toEqual([{ isSold: true }, { isSold: false }]);
});

test('a visitor is asked to sign in, and another person finds no ad', async () => {
  fakeApi({ 'GET /api/ads/1': { json: sampleAd() } });
  show(OWNER);
  await screen.findByText('Please sign in to answer');
  show(OWNER, sampleMe({ id: '77' }));
  await waitFor(() => heading('Ad not found'));
});
