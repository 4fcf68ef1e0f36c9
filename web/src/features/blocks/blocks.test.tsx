import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Me } from '../../../../contract/user.ts';
import { SellerHeader } from '../../pages/seller-profile.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleConversation, sampleMe, sampleMessage, sampleUser } from '../../test/samples.ts';
import { SignInProvider } from '../auth/sign-in.tsx';
import { Conversation } from '../messages/conversation.tsx';
import { ConversationHeader } from '../messages/conversation-header.tsx';
import { BlockedPeople } from './blocked-people.tsx';

const me = sampleMe({ id: '1' });
const seller = sampleUser({ id: '9', displayName: 'Sally Seller' });
const BLOCK = { user: seller, createdAt: '2026-01-05T10:00:00.000Z' };
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

/** The API of a user who may block the seller. Other requests fail the test. */
const fakeBlocks = (isBlocked = false) => {
  const state = { isBlocked };
  const set = (value: boolean) => () => {
    state.isBlocked = value;
    return value ? { json: BLOCK } : { status: 204 };
  };
  const api = fakeApi({
    'GET /api/follows/9': { json: { isFollowing: false } },
    'GET /api/blocks/9': () => ({ json: { isBlocked: state.isBlocked } }),
    'PUT /api/blocks/9': set(true),
    'DELETE /api/blocks/9': set(false),
  });
  return { ...api, state };
};

const openProfile = (viewer: Me | null) => {
  const stats = { totalAds: 0, activeAds: 0, soldAds: 0, totalViews: 0, joinDate: BLOCK.createdAt };
  const element = (
    <SignInProvider>
      <SellerHeader profile={{ user: seller, ads: [], stats }} />
    </SignInProvider>
  );
  renderAt({ routes: [{ path: '/', element }], boot: { me: viewer } });
};

const choose = async (name: string) => {
  press('Actions for Sally Seller');
  fireEvent.click(await screen.findByRole('menuitem', { name }));
};
const answer = async (name: string) =>
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }));

test('a profile blocks after a question; the toast undoes it, and so does the menu', async () => {
  const { state, asked } = fakeBlocks();
  openProfile(me);
  await choose('Block');
  const dialog = await screen.findByRole('alertdialog', { name: 'Block Sally Seller?' });
  expect(dialog.textContent).toContain('Neither of you can write to the other');
  expect(dialog.textContent).toContain('their ads leave your lists');
  expect(dialog.textContent).toContain('Sally Seller is not notified');
  expect(asked).not.toContain('PUT /api/blocks/9');
  await answer('Block');
  expect(await screen.findByText('You blocked Sally Seller')).toBeDefined();
  expect(state.isBlocked).toBe(true);
  press('Undo');
  await waitFor(() => expect(state.isBlocked).toBe(false));
  await choose('Block');
  await answer('Block');
  await waitFor(() => expect(state.isBlocked).toBe(true));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await choose('Unblock');
  await waitFor(() => expect(state.isBlocked).toBe(false));
});

test('a canceled question blocks nothing', async () => {
  const { asked } = fakeBlocks();
  openProfile(me);
  await choose('Block');
  await answer('Cancel');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(asked.toSorted()).toEqual(['GET /api/blocks/9', 'GET /api/follows/9']);
});

test('a block beyond the limit shows what the server says', async () => {
  const message = 'You can block at most 1000 people. Unblock some of them first.';
  const { answers, state } = fakeBlocks();
  answers['PUT /api/blocks/9'] = { status: 409, json: { message, code: 'conflict' } };
  openProfile(me);
  await choose('Block');
  await answer('Block');
  expect(await screen.findByText(message)).toBeDefined();
  expect(state.isBlocked).toBe(false);
});

test.each(['Report', 'Block'])(
  'a visitor signs in before “%s”, and a profile of oneself has no such menu',
  async (name) => {
    fakeApi({});
    openProfile(null);
    await choose(name);
    expect(await screen.findByRole('button', { name: 'Continue with X' })).toBeDefined();
    cleanup();
    openProfile(sampleMe({ ...seller }));
    expect(screen.getAllByText('Sally Seller')).toHaveLength(1);
    expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
  },
);

test('the menu of a conversation blocks the other person', async () => {
  const { state } = fakeBlocks();
  const header = (isBlocked: boolean) => (
    <ConversationHeader ad={sampleMessage().ad} other={seller} isBlocked={isBlocked} />
  );
  renderAt({ routes: [{ path: '/', element: header(false) }], boot: { me } });
  press('Actions for Sally Seller');
  expect(await screen.findByRole('menuitem', { name: 'Report' })).toBeDefined();
  fireEvent.click(screen.getByRole('menuitem', { name: 'Block' }));
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Block' }));
  expect(await screen.findByText('You blocked Sally Seller')).toBeDefined();
  expect(state.isBlocked).toBe(true);
});

const PATH = '/api/conversations/7/9';
const BLOCKED = 'You blocked this person. Unblock them to write to them.';

test.each([
  ['messages', [sampleMessage()]],
  ['no messages', []],
])('a blocked conversation with %s has Unblock in place of the composer', async (_name, messages) => {
  const { answers, state } = fakeBlocks(true);
  answers[`GET ${PATH}`] = () => ({
    json: sampleConversation({
      messages,
      other: seller,
      isBlocked: state.isBlocked,
      actions: state.isBlocked ? [] : ['send'],
      reason: state.isBlocked ? 'blocked_by_oneself' : null,
    }),
  });
  const element = <Conversation adId="7" otherUserId="9" user={me} everyMs={60_000} />;
  renderAt({ routes: [{ path: '/', element }], boot: { me } });
  expect(await screen.findByText(BLOCKED)).toBeDefined();
  expect(screen.queryByLabelText('Message')).toBeNull();
  screen.getByRole('button', { name: 'Unblock Sally Seller' }).focus();
  press('Unblock Sally Seller');
  expect(await screen.findByLabelText('Message')).toBeDefined();
  expect(await screen.findByText('You unblocked Sally Seller')).toBeDefined();
  expect(document.activeElement).not.toBe(document.body);
});

const LIST = 'GET /api/blocks?limit=10';
const openList = () =>
  renderAt({
    routes: [
      { path: '/', element: <BlockedPeople /> },
      { path: '*', element: <p>Profile</p> },
    ],
    boot: { me },
  });

test('the list shows who is blocked since when, and more on request', async () => {
  const second = { user: sampleUser({ id: '8', username: null, displayName: 'Ben' }), createdAt: BLOCK.createdAt };
  fakeApi({
    [LIST]: { json: [BLOCK], headers: { Link: '</api/blocks?cursor=c1>; rel="next"' } },
    'GET /api/blocks?cursor=c1': { json: [second] },
  });
  openList();
  const link = await screen.findByRole('link', { name: 'Sally Seller' });
  expect(screen.getByText('@seller_one')).toBeDefined();
  expect(screen.getByText(/^Blocked since .*2026/)).toBeDefined();
  press('Load more');
  expect(await screen.findByText('Ben')).toBeDefined();
  fireEvent.click(link);
  expect(await screen.findByText('Profile')).toBeDefined();
});

test('unblocking takes the person off the list, where the focus stays', async () => {
  const { answers, state } = fakeBlocks(true);
  answers[LIST] = () => ({ json: state.isBlocked ? [BLOCK] : [] });
  openList();
  const button = await screen.findByRole('button', { name: 'Unblock Sally Seller' });
  button.focus();
  fireEvent.click(button);
  expect(await screen.findByText(/^You have not blocked anyone/)).toBeDefined();
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-labelledby')).toBe('blocked-people'));
});

test('a list that cannot be loaded offers another attempt', async () => {
  const { answers } = fakeApi({ [LIST]: { status: 503 } });
  openList();
  expect(await screen.findByText('Failed to load the people whom you blocked.')).toBeDefined();
  answers[LIST] = { json: [] };
  press('Try again');
  expect(await screen.findByText(/^You have not blocked anyone/)).toBeDefined();
});
