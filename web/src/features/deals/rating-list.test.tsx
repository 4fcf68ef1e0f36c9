import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Rating } from '../../../../contract/ratings.ts';
import type { Me } from '../../../../contract/user.ts';
import { type Answers, fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe, sampleRating, sampleUser } from '../../test/samples.ts';
import { SellerBadges } from '../../ui/avatar.tsx';
import { RatingList } from './rating-list.tsx';

const RATINGS = 'GET /api/users/1001/ratings?limit=10';
const REPLY = 'POST /api/ratings/90/reply';

const show = (ratings: Rating[], { me = null, more = {} }: { me?: Me | null; more?: Answers } = {}) => {
  const api = fakeApi({ [RATINGS]: { json: ratings }, ...more });
  const element = <RatingList user={sampleUser()} />;
  renderAt({ routes: [{ path: '/', element }], boot: { me } });
  return api;
};
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));

test('a profile lists ratings with role, date, tags, text and reply; a deleted rater has no link', async () => {
  show([
    sampleRating({ reply: 'Thank you', repliedAt: '2026-02-01T12:00:00.000Z' }),
    sampleRating({
      id: '91',
      role: 'seller',
      rater: sampleUser({ id: '0', username: null, displayName: 'as in the API', isDeleted: true }),
    }),
  ]);
  expect(await screen.findByText('Buyer · Jan 5, 2026')).toBeDefined();
  expect(screen.getByText('Thank you')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Olga Other' }).getAttribute('href')).toBe('/users/other');
  expect(screen.getByText('Seller · Jan 5, 2026')).toBeDefined();
  expect(screen.getByText('Deleted user')).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Deleted user' })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Reply/ })).toBeNull();
});

test('a profile without ratings says how they come about, and a failure can be retried', async () => {
  const { answers } = show([], { more: { [RATINGS]: { status: 500, json: {} } } });
  await screen.findByText('Failed to load the ratings');
  answers[RATINGS] = { json: [] };
  await press('Try again');
  expect(await screen.findByText('No ratings yet')).toBeDefined();
});

test('more ratings load on demand', async () => {
  const next = '/api/users/1001/ratings?limit=10&cursor=9';
  show([], {
    more: {
      [RATINGS]: { json: [sampleRating()], headers: { Link: `<${next}>; rel="next"` } },
      [`GET ${next}`]: { json: [sampleRating({ id: '91', text: 'An older one' })] },
    },
  });
  await press('Load more');
  expect(await screen.findByText('An older one')).toBeDefined();
});

test('the rated person replies once', async () => {
  const bodies: unknown[] = [];
  const { answers } = show([sampleRating()], {
    me: sampleMe(),
    more: {
      [REPLY]: async (request) => {
        bodies.push(await request.json());
        return { status: 201, json: sampleRating({ reply: 'Any time' }) };
      },
    },
  });
  await press('Reply to the rating by Olga Other');
  await press('Send Reply');
  expect(await screen.findByText('Reply is required')).toBeDefined();
  fireEvent.change(screen.getByLabelText('Your reply'), { target: { value: 'Any time' } });
  answers[RATINGS] = { json: [sampleRating({ reply: 'Any time' })] };
  await press('Send Reply');
  expect(await screen.findByText('Any time')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Reply/ })).toBeNull();
  expect(bodies).toEqual([{ text: 'Any time' }]);
});

test('a rating can be reported, but not by its writer', async () => {
  const reports: unknown[] = [];
  show([sampleRating(), sampleRating({ id: '91', rater: sampleUser({ id: '5', displayName: 'Me' }) })], {
    me: sampleMe({ id: '5' }),
    more: {
      'POST /api/reports': async (request) => {
        reports.push(await request.json());
        return { status: 201, json: { id: '1', status: 'open' } };
      },
    },
  });
  await screen.findByText('Olga Other');
  expect(screen.getAllByRole('button', { name: /^Report/ })).toHaveLength(1);
  await press('Report the rating by Olga Other');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(await dialog.findByLabelText('Offensive content'));
  fireEvent.click(dialog.getByRole('button', { name: 'Send Report' }));
  await waitFor(() => expect(reports).toEqual([{ targetType: 'rating', targetId: '90', reason: 'offensive' }]));
});

test('the number of deals is beside the name from the first rating on', () => {
  const badges = (rating?: { deals: number; positive: number }) =>
    renderAt({ routes: [{ path: '/', element: <SellerBadges user={sampleUser(rating && { rating })} /> }] }).container;
  expect(badges().textContent).toBe('Verified account');
  expect(badges({ deals: 1, positive: 100 }).textContent).toContain('1 deal · 100 %');
  expect(badges({ deals: 1200, positive: 98 }).textContent).toContain('1,200 deals · 98 %');
});
