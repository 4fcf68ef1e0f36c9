import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Me } from '../../../../contract/user.ts';
import { SellerHeader } from '../../pages/seller-profile.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe, sampleUser } from '../../test/samples.ts';
import { SignInProvider } from '../auth/sign-in.tsx';
import { FollowedPeople } from './followed-people.tsx';

const me = sampleMe({ id: '1' });
const seller = sampleUser({ id: '9', displayName: 'Sally Seller' });
const FOLLOW = { user: seller, isAvailable: true, createdAt: '2026-01-05T10:00:00.000Z' };
const LIST = 'GET /api/follows?limit=10';
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

/** The API of a user who may follow the seller. */
const fakeFollows = (isFollowing = false) => {
  const state = { isFollowing };
  const set = (value: boolean) => () => {
    state.isFollowing = value;
    return value ? { json: FOLLOW } : { status: 204 };
  };
  const api = fakeApi({
    'GET /api/blocks/9': { json: { isBlocked: false } },
    'GET /api/follows/9': () => ({ json: { isFollowing: state.isFollowing } }),
    'PUT /api/follows/9': set(true),
    'DELETE /api/follows/9': set(false),
    [LIST]: () => ({ json: state.isFollowing ? [FOLLOW] : [] }),
  });
  return { ...api, state };
};

const openProfile = (viewer: Me | null, followers?: number) => {
  const stats = { totalAds: 0, activeAds: 0, soldAds: 0, totalViews: 0, joinDate: FOLLOW.createdAt, followers };
  const element = (
    <SignInProvider>
      <SellerHeader profile={{ user: seller, ads: [], stats }} />
    </SignInProvider>
  );
  renderAt({ routes: [{ path: '/', element }], boot: { me: viewer } });
};
const choose = async () =>
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Notify me about new ads' }));

test('the menu of the profile follows the seller; the toast undoes it', async () => {
  const { state } = fakeFollows();
  openProfile(me);
  press('Follow Sally Seller');
  await choose();
  const button = await screen.findByRole('button', { name: 'Following Sally Seller' });
  expect(button.textContent).toBe('Following');
  expect(await screen.findByText('You follow Sally Seller')).toBeDefined();
  expect(state.isFollowing).toBe(true);
  press('Undo');
  expect(await screen.findByRole('button', { name: 'Follow Sally Seller' })).toBe(button);
  expect(state.isFollowing).toBe(false);
});

test('the menu shows a followed seller as checked, and unfollows', async () => {
  const { state } = fakeFollows(true);
  openProfile(me);
  fireEvent.click(await screen.findByRole('button', { name: 'Following Sally Seller' }));
  const item = await screen.findByRole('menuitemcheckbox', { name: 'Notify me about new ads' });
  expect(item.getAttribute('aria-checked')).toBe('true');
  fireEvent.click(item);
  expect(await screen.findByText('You no longer follow Sally Seller')).toBeDefined();
  expect(state.isFollowing).toBe(false);
});

test('a visitor signs in to be notified, and follows on X without that', async () => {
  fakeApi({});
  openProfile(null);
  press('Follow Sally Seller');
  const link = await screen.findByRole('menuitem', { name: 'Follow on X' });
  expect(link.getAttribute('href')).toBe('https://x.com/intent/follow?screen_name=seller_one');
  await choose();
  expect(await screen.findByRole('button', { name: 'Continue with X' })).toBeDefined();
});

test('a follow beyond the limit shows what the server says', async () => {
  const message = 'You can follow at most 500 people. Unfollow some of them first.';
  const { answers } = fakeFollows();
  answers['PUT /api/follows/9'] = { status: 409, json: { message, code: 'conflict' } };
  openProfile(me);
  press('Follow Sally Seller');
  await choose();
  expect(await screen.findByText(message)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Follow Sally Seller' })).toBeDefined();
});

test('sellers see on their own profile how many people follow, and no button', () => {
  fakeApi({});
  openProfile(sampleMe({ ...seller }), 12);
  expect(screen.getByText('Followers').parentElement?.textContent).toBe('Followers12');
  expect(screen.queryByRole('button', { name: /Follow/ })).toBeNull();
});

const openList = () => renderAt({ routes: [{ path: '/', element: <FollowedPeople /> }], boot: { me } });

test('the list shows who is followed since when, and more on request', async () => {
  const second = { user: sampleUser({ id: '8', displayName: 'Ben' }), isAvailable: false, createdAt: FOLLOW.createdAt };
  fakeApi({
    [LIST]: { json: [FOLLOW], headers: { Link: '</api/follows?cursor=c1>; rel="next"' } },
    'GET /api/follows?cursor=c1': { json: [second] },
  });
  openList();
  expect((await screen.findByRole('link', { name: 'Sally Seller' })).getAttribute('href')).toBe('/users/seller_one');
  expect(screen.getByText(/^Followed since .*2026/)).toBeDefined();
  press('Load more');
  expect(await screen.findByText(/^Not available at the moment/)).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Ben' })).toBeNull();
});

test('unfollowing takes the person off the list, where the focus stays', async () => {
  fakeFollows(true);
  openList();
  const button = await screen.findByRole('button', { name: 'Unfollow Sally Seller' });
  button.focus();
  fireEvent.click(button);
  expect(await screen.findByText(/You do not follow anyone/)).toBeDefined();
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
});

test('a list that fails can be loaded again', async () => {
  const { answers } = fakeApi({ [LIST]: { status: 500, json: { message: 'no', code: 'internal' } } });
  openList();
  expect(await screen.findByText('Failed to load the people whom you follow')).toBeDefined();
  answers[LIST] = { json: [FOLLOW] };
  fireEvent.click(screen.getByRole('button', { name: /again|retry/i }));
  expect(await screen.findByRole('link', { name: 'Sally Seller' })).toBeDefined();
});
