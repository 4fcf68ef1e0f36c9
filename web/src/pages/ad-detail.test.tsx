import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { SignInProvider } from '../features/auth/sign-in.tsx';
import { type Answers, fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd, sampleConversation, sampleMe, sampleMessage, sampleUser } from '../test/samples.ts';
import { AdDetailPage } from './ad-detail.tsx';
import { HomePage } from './home.tsx';

const ad = sampleAd({ id: '7', title: 'Green bike', userId: '1001', state: 'active' });
const list = { items: [ad], next: null, total: 1, totalExact: true };

test('a deleted ad does not come back from the cache with Back', async () => {
  vi.stubGlobal('confirm', () => true);
  const api = fakeApi({
    'DELETE /api/ads/7': { status: 204 },
    'GET /api/ads/7/x-posts': { json: [] },
    'GET /api/ads': { json: [] },
    'GET /api/ads/7': { status: 404 },
    'GET /api/categories?language=en': { json: [] },
    'GET /api/categories/stats?by=slug': { json: {} },
    'GET /api/stats': { json: { activeAds: 0, users: 1, categories: 1 } },
    'GET /api/user/favorite-ids': { json: [] },
  });
  const { router } = renderAt({
    routes: [
      { path: '/', element: <HomePage /> },
      { path: '/ads/:id', element: <AdDetailPage /> },
    ],
    boot: { me: sampleMe(), data: { '/api/ads': list, '/api/ads/7': ad } },
  });
  await act(() => router.navigate('/ads/7'));
  window.history.replaceState({ idx: 1 }, '');
  fireEvent.click(screen.getByRole('button', { name: 'Delete Ad' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Green bike' })).toBeNull());
  expect(api.asked).not.toContain('GET /api/ads/7');
  await act(() => router.navigate('/ads/7'));
  expect(screen.queryByRole('heading', { name: 'Green bike' })).toBeNull();
  expect(await screen.findByRole('heading', { name: 'Ad not found' })).toBeDefined();
});

test('near the end of the ad, similar ads and more from the seller load; an empty list is left out', async () => {
  let approach = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        approach = () => callback([{ isIntersecting: true } as IntersectionObserverEntry], this as never);
      }
      observe() {}
      disconnect() {}
    },
  );
  const api = fakeApi({
    'GET /api/ads/7/similar': { json: [sampleAd({ id: '8', title: 'Blue bike' })] },
    'GET /api/ads/7/more-from-seller': { json: [] },
    'GET /api/user/favorite-ids': { json: [] },
  });
  renderAt({
    at: '/ads/7',
    routes: [{ path: '/ads/:id', element: <AdDetailPage /> }],
    boot: { data: { '/api/ads/7': ad } },
  });
  expect(api.asked).toEqual([]);
  act(approach);
  expect(await screen.findByRole('link', { name: 'Blue bike' })).toBeDefined();
  expect(screen.getByRole('region', { name: 'Similar ads' })).toBeDefined();
  expect(screen.queryByRole('region', { name: 'More from this seller' })).toBeNull();
});

test('a sold ad says so and leads to similar ones; writing to its seller is in the menu', async () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      callback: IntersectionObserverCallback;
      constructor(callback: IntersectionObserverCallback) {
        this.callback = callback;
      }
      observe() {
        this.callback([{ isIntersecting: true } as IntersectionObserverEntry], this as never);
      }
      disconnect() {}
    },
  );
  fakeApi({
    'GET /api/ads/7/similar': { json: [sampleAd({ id: '8', title: 'Blue bike' })] },
    'GET /api/ads/7/more-from-seller': { json: [] },
    'GET /api/user/favorite-ids': { json: [] },
  });
  renderAt({
    at: '/ads/7',
    routes: [{ path: '/ads/:id', element: <AdDetailPage /> }],
    boot: { data: { '/api/ads/7': sampleAd({ ...ad, isSold: true, priceType: 'negotiable' }) } },
  });
  for (const name of ['Contact Seller', 'Make an Offer']) expect(screen.queryByRole('button', { name })).toBeNull();
  const similar = await screen.findByRole('heading', { name: 'Similar ads' });
  const description = screen.getByRole('heading', { name: 'Description' });
  expect(similar.compareDocumentPosition(description) & Node.DOCUMENT_POSITION_FOLLOWING).toBeGreaterThan(0);
  fireEvent.click(screen.getByRole('button', { name: 'More actions for Green bike' }));
  expect(await screen.findByRole('menuitem', { name: 'Contact Seller' })).toBeDefined();
});

test('the title says that the ad could not be loaded, not what the page before was', async () => {
  fakeApi({ 'GET /api/ads/7': { status: 503 }, 'GET /api/categories?language=en': { json: [] } });
  document.title = 'The page before';
  renderAt({ routes: [{ path: '/ads/:id', element: <AdDetailPage /> }], at: '/ads/7' });
  await screen.findByText('Failed to fetch the ad');
  expect(document.title).toBe('Failed to fetch the ad | Tradepost');
});

test('an address of another site that is none does not break the page', () => {
  fakeApi({});
  const broken = { ...ad, externalLink: 'https://[broken' };
  renderAt({
    routes: [{ path: '/ads/:id', element: <AdDetailPage /> }],
    at: '/ads/7',
    boot: { data: { '/api/ads/7': broken } },
  });
  expect(screen.getByText('https://[broken · opens in a new tab')).toBeDefined();
});

const negotiable = sampleAd({ ...ad, priceType: 'negotiable' });
const buyer = sampleMe({ id: '1002', username: 'ben' });

/** The ad as a buyer sees it, who presses "Make an Offer" and a proposal. */
const propose = async (reply: Answers[string]) => {
  const seller = sampleUser();
  const offer = {
    id: '70',
    amount: '108.00',
    status: 'open' as const,
    expiresAt: new Date(Date.now() + 172_000_000).toISOString(),
  };
  const message = sampleMessage({ id: '5', senderId: '1002', receiverId: '1001', content: 'Offer: $108', offer });
  fakeApi({
    'POST /api/offers': reply,
    'GET /api/conversations/7/1001': {
      json: sampleConversation({ messages: [message], other: seller, actions: ['send', 'withdraw'] }),
    },
    'GET /api/user/favorite-ids': { json: [] },
    'GET /api/messages/unread-count': { json: { unreadCount: 0 } },
  });
  renderAt({
    at: '/ads/7',
    routes: [{ path: '/ads/:id', element: <AdDetailPage /> }],
    boot: { me: buyer, data: { '/api/ads/7': negotiable } },
  });
  fireEvent.click(screen.getAllByRole('button', { name: 'Make an Offer' })[0]!);
  const dialog = await screen.findByRole('dialog', { name: 'Make an Offer' });
  fireEvent.click(await within(dialog).findByRole('button', { name: '$108 −10 %' }));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send Offer' }));
};

test('a first offer takes three taps, and the conversation opens with it', async () => {
  const bodies: unknown[] = [];
  await propose(async (request: Request) => {
    bodies.push(await request.json());
    return { status: 201, json: sampleMessage({ content: 'Offer: $108' }) };
  });
  expect(await screen.findByText('Offer sent to Sally Seller')).toBeDefined();
  const dialog = await screen.findByRole('dialog', { name: 'Contact Sally Seller' });
  expect(await within(dialog).findByText('$108')).toBeDefined();
  expect(bodies).toEqual([{ adId: '7', receiverId: '1001', amount: '108' }]);
});

test('where an offer is open already, it says so and opens the conversation', async () => {
  const message = 'There is an open offer in this conversation already.';
  const fields = { state: 'has_open_offer' };
  await propose({ status: 409, json: { message, code: 'conflict', requestId: 'r', fields } });
  expect(await screen.findByText(message)).toBeDefined();
  const dialog = await screen.findByRole('dialog', { name: 'Contact Sally Seller' });
  expect(await within(dialog).findByRole('button', { name: 'Withdraw the offer of $108' })).toBeDefined();
});

test.each([
  ['has a fixed price', {}],
  ['is reserved for another person', { isReserved: true }],
])('no offer is proposed where the ad %s', (_, fields) => {
  fakeApi({ 'GET /api/user/favorite-ids': { json: [] } });
  const priceType = Object.keys(fields).length > 0 ? 'negotiable' : 'fixed';
  renderAt({
    at: '/ads/7',
    routes: [{ path: '/ads/:id', element: <AdDetailPage /> }],
    boot: { me: buyer, data: { '/api/ads/7': sampleAd({ ...ad, priceType, ...fields }) } },
  });
  expect(screen.getAllByRole('button', { name: 'Contact Seller' }).length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Make an Offer' })).toBeNull();
});

const withSignIn = [
  {
    path: '/ads/:id',
    element: (
      <SignInProvider>
        <AdDetailPage />
      </SignInProvider>
    ),
  },
];

test.each([
  ['Contact Seller', 'Contact Sally Seller'],
  ['Make an Offer', 'Make an Offer'],
])('after signing in, the dialog of “%s” opens, of this ad only, and nothing is sent', async (button, title) => {
  const { asked } = fakeApi({
    'GET /api/user/favorite-ids': { json: [] },
    'GET /api/messages/unread-count': { json: { unreadCount: 0 } },
    'GET /api/conversations/7/1001': { json: sampleConversation({ messages: [], other: sampleUser(), actions: [] }) },
  });
  const open = (id: string, me: typeof buyer | null) =>
    renderAt({
      at: `/ads/${id}`,
      routes: withSignIn,
      boot: { me, data: { [`/api/ads/${id}`]: sampleAd({ ...negotiable, id }) } },
    });
  open('7', null);
  fireEvent.click(screen.getAllByRole('button', { name: button })[0]!);
  const leave = vi.spyOn(location, 'assign').mockReturnValue();
  fireEvent.click(await screen.findByRole('button', { name: 'Continue with X' }));
  await waitFor(() => expect(leave).toHaveBeenCalledOnce());
  leave.mockRestore();
  cleanup();
  open('8', buyer);
  expect(screen.queryByRole('dialog')).toBeNull();
  cleanup();
  open('7', buyer);
  expect(await screen.findByRole('dialog', { name: title })).toBeDefined();
  expect(asked.filter((name) => !name.startsWith('GET'))).toEqual([]);
  cleanup();
  open('7', buyer);
  expect(screen.queryByRole('dialog')).toBeNull();
});
