import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ConversationAction } from '../../../../contract/conversations.ts';
import type { MessageAd } from '../../../../contract/messages.ts';
import { ConversationPage } from '../../pages/conversation.tsx';
import { type Answers, fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleAd, sampleConversation, sampleMe, sampleMessage, sampleUser } from '../../test/samples.ts';
import { AdCard } from '../ads/ad-card.tsx';
import { StatusBadge } from '../ads/status-badge.tsx';
import { ReservationNotice } from './reservation.tsx';

const UNTIL = '2026-11-30T10:00:00.000Z';
const seller = sampleUser({ id: '1001', displayName: 'Sally Seller' });
const buyer = sampleUser({ id: '1002', username: 'buyer_two', displayName: 'Ben Buyer' });
const AD = sampleMessage().ad;
const RESERVATION = '/api/ads/1/reservation';

/** Opens the conversation as one of the two. `state.ad` is the ad that the server returns from now on. */
const open = async (
  as: 'seller' | 'buyer',
  ad: Partial<MessageAd> = {},
  answers: Answers = {},
  agreedPrice: string | null = null,
) => {
  const [me, other] = as === 'seller' ? [seller, buyer] : [buyer, seller];
  const state = { ad: { ...AD, ...ad } };
  const messages = [sampleMessage({ senderId: '1002', receiverId: '1001' })];
  // A third person's reservation is for the seller to end.
  const listActions = ({ reservation }: MessageAd): ConversationAction[] => {
    if (reservation === 'other') return ['send', 'release', 'sell'];
    if (reservation) return as === 'buyer' && reservation === 'elsewhere' ? ['send'] : ['send', 'release'];
    return as === 'seller' ? ['send', 'reserve'] : ['send'];
  };
  const api = fakeApi({
    [`GET /api/conversations/1/${other.id}`]: () => ({
      json: sampleConversation({ messages, other, ad: state.ad, actions: listActions(state.ad), agreedPrice }),
    }),
    ...answers,
  });
  renderAt({
    routes: [{ path: '/messages/:adId/:otherUserId', element: <ConversationPage /> }],
    at: `/messages/1/${other.id}`,
    boot: { me: sampleMe(me) },
  });
  await screen.findByLabelText('Message');
  return { ...api, state };
};
const has = (name: string) => screen.queryByRole('button', { name }) !== null;

test('the owner reserves the ad for the person of the conversation, and the toast undoes it', async () => {
  const bodies: unknown[] = [];
  const { state } = await open(
    'seller',
    {},
    {
      [`PUT ${RESERVATION}`]: async (request) => {
        bodies.push(await request.json());
        state.ad = { ...AD, reservation: 'other', reservedUntil: UNTIL };
        return { json: sampleAd({ isReserved: true, reservedFor: buyer, reservedUntil: UNTIL }) };
      },
      [`DELETE ${RESERVATION}`]: () => {
        state.ad = AD;
        return { json: sampleAd() };
      },
    },
  );
  fireEvent.click(screen.getByRole('button', { name: 'Reserve for Ben Buyer' }));
  expect(await screen.findByText('until', { exact: false })).toBeDefined();
  expect(screen.getByText(/^Reserved for/, { selector: '[data-slot=badge] > span' }).textContent).toBe(
    'Reserved for Ben Buyer until November 30',
  );
  expect(bodies).toEqual([{ userId: '1002' }]);
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'Reserve for Ben Buyer' })).toBeDefined();
});

test('the person for whom it is reserved ends the reservation after a question', async () => {
  const { state, asked } = await open(
    'buyer',
    { reservation: 'own', reservedUntil: UNTIL },
    {
      [`DELETE ${RESERVATION}`]: () => {
        state.ad = AD;
        return { json: sampleAd() };
      },
    },
  );
  expect(screen.getByText(/^Reserved for you/).textContent).toBe('Reserved for you until November 30');
  fireEvent.click(screen.getByRole('button', { name: 'Release' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'End this reservation?' });
  expect(asked).not.toContain(`DELETE ${RESERVATION}`);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Release' }));
  await waitFor(() => expect(screen.queryByText(/^Reserved for you/)).toBeNull());
  expect(has('Reserve for Sally Seller')).toBe(false);
});

test.each(['seller', 'buyer'] as const)(
  'after an accepted offer the bar and the head say the price to the %s',
  async (as) => {
    await open(
      as,
      { reservation: as === 'seller' ? 'other' : 'own', reservedUntil: UNTIL, priceType: 'negotiable' },
      {},
      '90.00',
    );
    expect(screen.getByText(/^Agreed at/).textContent).toBe('Agreed at $90. Reserved until November 30.');
    expect(screen.getByText('$90 agreed')).toBeDefined();
    expect(screen.queryByText('$120 or best offer')).toBeNull();
    expect(has('Release')).toBe(true);
    expect(has('Mark as sold')).toBe(as === 'seller');
  },
);

test('the seller marks it as sold to the person for whom it is reserved', async () => {
  const bodies: unknown[] = [];
  await open(
    'seller',
    { reservation: 'other', reservedUntil: UNTIL },
    {
      'GET /api/ads/1/buyers?limit=10': { json: [buyer] },
      'PATCH /api/ads/1/sold': async (request) => {
        bodies.push(await request.json());
        return { json: sampleAd({ isSold: true }) };
      },
    },
  );
  fireEvent.click(screen.getByRole('button', { name: 'Mark as sold' }));
  const dialog = await screen.findByRole('dialog', { name: 'Who bought it?' });
  expect((await within(dialog).findByRole<HTMLInputElement>('radio', { name: /Ben Buyer/ })).checked).toBe(true);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Mark as Sold' }));
  await waitFor(() => expect(bodies).toEqual([{ isSold: true, buyerId: '1002' }]));
});

test('an ad that is reserved for another person meanwhile: the sentence, and the ad as it is', async () => {
  const message = 'This item is reserved for another person.';
  const { state } = await open(
    'seller',
    {},
    { [`PUT ${RESERVATION}`]: { status: 409, json: { message, code: 'conflict', requestId: 'r' } } },
  );
  state.ad = { ...AD, reservation: 'elsewhere' };
  fireEvent.click(screen.getByRole('button', { name: 'Reserve for Ben Buyer' }));
  expect(await screen.findByText(message)).toBeDefined();
  expect(await screen.findByText('Reserved')).toBeDefined();
  expect(has('Release')).toBe(true);
});

test('a third person sees only that it is reserved', async () => {
  await open('buyer', { reservation: 'elsewhere' });
  expect(screen.getByText('Reserved')).toBeDefined();
  expect(has('Release')).toBe(false);
});

test('a sold ad says nothing of reservations', async () => {
  await open('seller', { isSold: true, reservation: 'other', reservedUntil: UNTIL });
  expect(has('Reserve for Ben Buyer')).toBe(false);
  expect(has('Release')).toBe(false);
});

test('card and status say Reserved', () => {
  fakeApi({});
  const ad = sampleAd({ isReserved: true });
  renderAt({
    routes: [
      {
        path: '/',
        element: (
          <>
            <AdCard ad={ad} />
            <StatusBadge ad={ad} />
            <StatusBadge ad={{ ...ad, isActive: false, state: 'expired' }} />
          </>
        ),
      },
    ],
  });
  expect(screen.getAllByText('Reserved')).toHaveLength(2);
  expect(screen.getByText('Expired')).toBeDefined();
});

test.each([
  ['the owner', true, buyer, 'Reserved for Ben Buyer until November 30', '/messages/1/1002'],
  ['the person', false, buyer, 'Reserved for you until November 30', '/messages/1/1001'],
] as const)('the page says to %s for whom and until when', (_name, isOwner, reservedFor, text, url) => {
  fakeApi({});
  const ad = sampleAd({ isReserved: true, reservedFor, reservedUntil: UNTIL });
  renderAt({ routes: [{ path: '/', element: <ReservationNotice ad={ad} isOwner={isOwner} /> }] });
  expect(screen.getByText(/^Reserved for/).textContent).toBe(text);
  expect(screen.getByRole('link', { name: 'View Conversation' }).getAttribute('href')).toBe(url);
  expect(has('Release')).toBe(true);
});

test('the page says to other people that they can still write', () => {
  fakeApi({});
  const ad = sampleAd({ isReserved: true });
  renderAt({ routes: [{ path: '/', element: <ReservationNotice ad={ad} isOwner={false} /> }] });
  expect(screen.getByText(/You can still write to the seller/)).toBeDefined();
  expect(has('Release')).toBe(false);
});
