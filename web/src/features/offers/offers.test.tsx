import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { ConversationAction } from '../../../../contract/conversations.ts';
import type { Message, MessageAd, Offer } from '../../../../contract/messages.ts';
import { emitLiveEvent } from '../../api/events.ts';
import { type Answers, fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleConversation, sampleMe, sampleMessage, sampleUser } from '../../test/samples.ts';
import { Conversation } from '../messages/conversation.tsx';

const PATH = '/api/conversations/1/1002';
const seller = sampleMe({ id: '1001', displayName: 'Sally Seller' });
const buyer = sampleUser({ id: '1002', username: 'buyer_two', displayName: 'Ben Buyer' });
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const AD = { ...sampleMessage().ad, priceType: 'negotiable' as const };

const offerOf = (fields: Partial<Offer> = {}): Offer => ({
  id: '70',
  amount: '45.00',
  status: 'open',
  expiresAt: inHours(47.2),
  ...fields,
});
const received = (fields: Partial<Message> = {}) =>
  sampleMessage({ ad: AD, senderId: '1002', receiverId: '1001', sender: buyer, receiver: seller, ...fields });
const sent = (fields: Partial<Message> = {}) => sampleMessage({ ad: AD, receiver: buyer, ...fields });
const receivedOffer = (fields: Partial<Offer> = {}, id = '5') =>
  received({ id, content: 'Offer: $45', offer: offerOf(fields) });
const sentOffer = (fields: Partial<Offer> = {}, id = '5') =>
  sent({ id, content: 'Offer: $45', offer: offerOf(fields) });

/** What the server would list for the seller, as far as these tests need it. */
const listActions = (messages: Message[]): ConversationAction[] => {
  const newest = messages.findLast(({ offer }) => offer);
  if (newest?.offer?.status !== 'open') return ['send', 'offer'];
  return newest.senderId === seller.id ? ['send', 'withdraw'] : ['send', 'accept', 'counter', 'decline'];
};

/** The conversation of the seller with the buyer. `state` is what the server returns from now on. */
const open = async (
  messages: Message[],
  answers: Answers = {},
  { ad = AD, actions }: { ad?: MessageAd; actions?: ConversationAction[] } = {},
) => {
  const state = { messages, ad, actions };
  const api = fakeApi({
    [`GET ${PATH}`]: () => ({ json: viewed(state) }),
    ...answers,
  });
  const element = <Conversation adId="1" otherUserId="1002" user={seller} everyMs={60_000} />;
  renderAt({ routes: [{ path: '/', element }], boot: { me: seller } });
  await screen.findByLabelText('Message');
  return { ...api, state };
};
const viewed = ({
  messages,
  ad = AD,
  actions = listActions(messages),
}: {
  messages: Message[];
  ad?: MessageAd;
  actions?: ConversationAction[] | undefined;
}) => sampleConversation({ messages, ad, other: buyer, actions });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const confirm = async (title: string, label: string) => {
  const dialog = await screen.findByRole('alertdialog', { name: title });
  fireEvent.click(within(dialog).getByRole('button', { name: label }));
  return dialog;
};
const conflict = (message: string) => ({ status: 409, json: { message, code: 'conflict', requestId: 'r' } });
afterEach(() => vi.useRealTimers());

test('an offer is made in the composer of a negotiable ad, and appears in the thread', async () => {
  const bodies: unknown[] = [];
  const { state } = await open([received()], {
    'POST /api/offers': async (request) => {
      bodies.push(await request.json());
      const made = sentOffer({ amount: '100.50' });
      state.messages = [received(), made];
      return { status: 201, json: made };
    },
  });
  press('Make an Offer');
  const dialog = await screen.findByRole('dialog', { name: 'Make an Offer' });
  const field = await within(dialog).findByLabelText('Your offer');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send Offer' }));
  expect(await within(dialog).findByText('The amount is required')).toBeDefined();
  fireEvent.change(field, { target: { value: '0' } });
  expect(await within(dialog).findByText('The amount must be more than 0')).toBeDefined();
  fireEvent.change(field, { target: { value: '100.50' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send Offer' }));
  expect(await screen.findByText('Offer sent to Ben Buyer')).toBeDefined();
  expect(await screen.findByText('$100.50')).toBeDefined();
  expect(bodies).toEqual([{ adId: '1', receiverId: '1002', amount: '100.50' }]);
  expect(screen.getByText('47 hours left')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Make an Offer' })).toBeNull());
});

test('an offer of more than three times the price is questioned, and sent when confirmed', async () => {
  const { asked } = await open([received()], {
    'POST /api/offers': { status: 201, json: sentOffer({ amount: '361' }) },
  });
  press('Make an Offer');
  const field = await screen.findByLabelText('Your offer');
  fireEvent.change(field, { target: { value: '361' } });
  press('Send Offer');
  expect((await screen.findByRole('alert')).textContent).toBe(
    '$361 is more than three times the price of $120. Is that what you mean?',
  );
  fireEvent.change(field, { target: { value: '362' } });
  expect(screen.queryByRole('alert')).toBeNull();
  press('Send Offer');
  await screen.findByRole('alert');
  expect(asked).not.toContain('POST /api/offers');
  press('Offer $362 Anyway');
  await waitFor(() => expect(asked).toContain('POST /api/offers'));
});

test('an offer with a comma is what it says', async () => {
  const { asked } = await open([received()], { 'POST /api/offers': { status: 201, json: sentOffer() } });
  press('Make an Offer');
  const field = await screen.findByLabelText<HTMLInputElement>('Your offer');
  fireEvent.change(field, { target: { value: '1,250' } });
  press('Send Offer');
  expect((await screen.findByRole('alert')).textContent).toMatch(/^\$1,250 is more than/);
  fireEvent.change(field, { target: { value: '12,50' } });
  fireEvent.blur(field);
  expect(field.value).toBe('12.50');
  press('Send Offer');
  await waitFor(() => expect(asked).toContain('POST /api/offers'));
});

test('three times the price is no question', async () => {
  const { asked } = await open([received()], { 'POST /api/offers': { status: 201, json: sentOffer() } });
  press('Make an Offer');
  fireEvent.change(await screen.findByLabelText('Your offer'), { target: { value: '360' } });
  press('Send Offer');
  await waitFor(() => expect(asked).toContain('POST /api/offers'));
});

test('a refused offer shows the sentence of the server, and what has changed meanwhile', async () => {
  const { state } = await open([received()], { 'POST /api/offers': conflict('This item has been sold.') });
  press('Make an Offer');
  fireEvent.change(await screen.findByLabelText('Your offer'), { target: { value: '45' } });
  state.ad = { ...AD, isSold: true };
  press('Send Offer');
  expect((await screen.findByRole('alert')).textContent).toBe('This item has been sold.');
});

test('an offer can be made where the server lists it', async () => {
  await open([received()], {}, { actions: ['send', 'reserve'] });
  expect(screen.queryByRole('button', { name: 'Make an Offer' })).toBeNull();
});

test('a received offer is accepted after a question', async () => {
  const { state, asked } = await open([receivedOffer()], {
    'POST /api/offers/70/accept': () => {
      state.messages = [receivedOffer({ status: 'accepted' })];
      return { json: state.messages[0] };
    },
  });
  expect(screen.getByText('’s offer')).toBeDefined();
  press('Accept the offer of $45');
  const dialog = await screen.findByRole('alertdialog', { name: 'Accept $45?' });
  expect(dialog.textContent).toContain('reserved for Ben Buyer for 7 days');
  expect(asked).not.toContain('POST /api/offers/70/accept');
  await confirm('Accept $45?', 'Accept');
  expect(await screen.findByText('You accepted $45')).toBeDefined();
  expect(await screen.findByText('Accepted')).toBeDefined();
  expect(screen.queryByRole('button', { name: /the offer of/ })).toBeNull();
});

test('a received offer is declined after a question, and the focus stays at the offer', async () => {
  const { state } = await open([receivedOffer()], {
    'POST /api/offers/70/decline': () => {
      state.messages = [receivedOffer({ status: 'declined' })];
      return { json: state.messages[0] };
    },
  });
  const button = screen.getByRole('button', { name: 'Decline the offer of $45' });
  button.focus();
  fireEvent.click(button);
  await confirm('Decline $45?', 'Decline');
  expect(await screen.findByText('Declined')).toBeDefined();
  await waitFor(() => expect(document.activeElement?.getAttribute('data-slot')).toBe('offer'));
});

test('a received offer is countered with another amount', async () => {
  const bodies: unknown[] = [];
  const { state } = await open([receivedOffer()], {
    'POST /api/offers/70/counter': async (request) => {
      bodies.push(await request.json());
      const counter = sentOffer({ id: '71', amount: '100.00' }, '6');
      state.messages = [receivedOffer({ status: 'countered' }), counter];
      return { status: 201, json: counter };
    },
  });
  press('Counter the offer of $45');
  const dialog = await screen.findByRole('dialog', { name: 'Counter Offer' });
  expect(dialog.textContent).toContain('Ben Buyer offers $45.');
  fireEvent.change(await within(dialog).findByLabelText('Your offer'), { target: { value: '100' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send Offer' }));
  expect(await screen.findByText('Countered')).toBeDefined();
  expect(screen.getByText('counter offer', { exact: false })).toBeDefined();
  expect(bodies).toEqual([{ amount: '100' }]);
  expect(screen.getByRole('button', { name: 'Withdraw the offer of $100' })).toBeDefined();
});

test('an own offer is withdrawn', async () => {
  const { state } = await open([sentOffer()], {
    'POST /api/offers/70/withdraw': () => {
      state.messages = [sentOffer({ status: 'withdrawn' })];
      return { json: state.messages[0] };
    },
  });
  expect(screen.getByText('No response yet')).toBeDefined();
  press('Withdraw the offer of $45');
  expect(await screen.findByText('Withdrawn')).toBeDefined();
  expect(await screen.findByText('You withdrew your offer of $45')).toBeDefined();
});

test('an offer that was withdrawn meanwhile is not accepted: the sentence, and the offer as it is', async () => {
  const { state } = await open([receivedOffer()], {
    'POST /api/offers/70/accept': conflict('This offer has been withdrawn.'),
  });
  state.messages = [receivedOffer({ status: 'withdrawn' })];
  press('Accept the offer of $45');
  await confirm('Accept $45?', 'Accept');
  expect(await screen.findByText('This offer has been withdrawn.')).toBeDefined();
  expect(await screen.findByText('Withdrawn')).toBeDefined();
});

test.each([
  ['expired', 'Expired'],
  ['void', 'No longer valid'],
] as const)('an offer that is %s has no buttons', async (status, label) => {
  await open([receivedOffer({ status })]);
  expect(screen.getByText(label)).toBeDefined();
  expect(screen.queryByRole('button', { name: /the offer of/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Make an Offer' })).toBeDefined();
});

test('while the ad is reserved for another person, an offer can only be declined', async () => {
  await open([receivedOffer()], {}, { ad: { ...AD, reservation: 'elsewhere' }, actions: ['send', 'decline'] });
  expect(screen.getByText(/reserved for another person/)).toBeDefined();
  expect(screen.getAllByRole('button', { name: /the offer of/ }).map((button) => button.textContent)).toEqual([
    'Decline',
  ]);
});

const tell = (message: Message) => act(() => emitLiveEvent({ type: 'message', message }));

test('an offer that the other person accepts changes at once; what one may do then is read once', async () => {
  const { state, asked } = await open([sentOffer(), received({ id: '6' })]);
  asked.length = 0;
  state.messages = [sentOffer({ status: 'accepted' }), received({ id: '6' })];
  state.ad = { ...AD, isSold: true };
  state.actions = ['send'];
  tell(sentOffer({ status: 'accepted' }));
  expect(await screen.findByText('Accepted')).toBeDefined();
  tell(sentOffer({ status: 'accepted' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Make an Offer' })).toBeNull());
  expect(asked).toEqual([`GET ${PATH}`]);
});

test.each(['before', 'after'])(
  'accepting costs one POST and one GET, if its event comes %s the reply',
  async (order) => {
    const accepted = receivedOffer({ status: 'accepted' });
    const { promise, resolve } = Promise.withResolvers<void>();
    const { state, asked } = await open([receivedOffer()], {
      'POST /api/offers/70/accept': async () => {
        state.messages = [accepted];
        state.actions = ['send', 'release'];
        await promise;
        return { json: accepted };
      },
    });
    asked.length = 0;
    press('Accept the offer of $45');
    await confirm('Accept $45?', 'Accept');
    await waitFor(() => expect(asked).toHaveLength(1));
    if (order === 'before') tell(accepted);
    await act(async () => resolve());
    if (order === 'after') tell(accepted);
    expect(await screen.findByText('Accepted')).toBeDefined();
    await act(() => new Promise((after) => setTimeout(after, 50)));
    expect(asked).toEqual(['POST /api/offers/70/accept', `GET ${PATH}`]);
  },
);

test('an open offer further up than the newest page is fetched again', async () => {
  const later = Array.from({ length: 3 }, (_, index) => received({ id: `${index + 6}`, content: `text ${index}` }));
  const api = await open([sentOffer(), ...later]);
  Object.assign(api.answers, {
    [`GET ${PATH}`]: { json: viewed({ messages: later }), headers: { Link: '</earlier>; rel="next"' } },
    'GET /earlier': { json: viewed({ messages: [sentOffer({ status: 'declined' })] }) },
  });
  act(() => emitLiveEvent({ type: 'conversation', adId: '1', otherUserId: '1002' }));
  expect(await screen.findByText('Declined')).toBeDefined();
});

test('the time left runs, and at its end the conversation is fetched again', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  const offer = { expiresAt: inHours(1.01) };
  const opening = open([sentOffer(offer)]);
  await act(() => vi.advanceTimersByTimeAsync(100));
  const { state } = await opening;
  expect(screen.getByText('1 hour left')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(0.1 * HOUR_MS));
  expect(screen.getByText('54 minutes left')).toBeDefined();
  state.messages = [sentOffer({ ...offer, status: 'expired' })];
  await act(() => vi.advanceTimersByTimeAsync(HOUR_MS));
  expect(screen.getByText('Expired')).toBeDefined();
});
