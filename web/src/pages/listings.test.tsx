import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useInvalidateQueries } from '../api/query.ts';
import { Announcer } from '../lib/announcer.tsx';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd, sampleUser } from '../test/samples.ts';
import { Listings, SellerProfilePage } from './seller-profile.tsx';

const AT = '/api/users/seller_one/profile?status=active';
const stats = { totalAds: 3, activeAds: 3, soldAds: 0, totalViews: 0, joinDate: '2026-01-05T10:00:00.000Z' };
const profile = (...ids: string[]) => ({
  user: sampleUser(),
  ads: ids.map((id) => sampleAd({ id, title: `Ad ${id}` })),
  stats,
});
const Page = () => {
  const refresh = useInvalidateQueries();
  return (
    <>
      <Listings profile={profile()} />
      <button type="button" onClick={() => void refresh('profiles')}>
        Refresh
      </button>
      <Announcer />
    </>
  );
};
const NEXT = '/api/users/seller_one/profile?cursor=c1';
const open = () => {
  const first = { items: profile('9'), next: NEXT, total: null, totalExact: true };
  renderAt({ routes: [{ path: '/', element: <Page /> }], boot: { data: { [AT]: first } } });
};
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const shown = () => screen.getAllByRole('link', { name: /^Ad / }).map(({ textContent }) => textContent);
const said = () => document.getElementById('announcer')?.textContent;

test('“Load more” appends the rest and says how many came', async () => {
  fakeApi({ [`GET ${NEXT}`]: { json: profile('8', '7') } });
  open();
  press('Load more');
  await waitFor(() => expect(said()).toBe('2 more loaded'));
  expect(shown()).toEqual(['Ad 9', 'Ad 8', 'Ad 7']);
});

test('the rest of a list that was fetched again meanwhile does not bring the old one back', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  fakeApi({
    [`GET ${NEXT}`]: () => promise.then(() => ({ json: profile('8') })),
    [`GET ${AT}`]: { json: profile('10'), headers: { Link: `<${NEXT}x>; rel="next"` } },
  });
  open();
  press('Load more');
  press('Refresh');
  await waitFor(() => expect(shown()).toEqual(['Ad 10']));
  resolve();
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Load more' }).hasAttribute('aria-disabled')).toBe(false),
  );
  expect(shown()).toEqual(['Ad 10']);
  expect(said()).toBe('');
});

test('“Go Back” on a direct visit leads to the ads, and a failure has its own title', async () => {
  fakeApi({ 'GET /api/users/nobody/profile?status=active': { status: 404 } });
  window.history.replaceState({ idx: 0 }, '');
  const routes = [
    { path: '/', element: <p>the ads</p> },
    { path: '/users/:username', element: <SellerProfilePage /> },
  ];
  renderAt({ routes, at: '/users/nobody' });
  await screen.findByText('User Not Found');
  expect(document.title).toBe('User Not Found | Tradepost');
  press('Go Back');
  expect(await screen.findByText('the ads')).toBeDefined();
});
