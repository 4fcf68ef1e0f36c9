import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { routes } from '../routes.tsx';
import { fakeApi, TEXTS_OF_PAGES } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';

test.each([
  [1, '1 second'],
  [42, '42 seconds'],
  [60, '60 seconds'],
  [300, '5 minutes'],
])('a page refused for %i s says so in place of the page, which requests nothing', async (retryAfter, wait) => {
  const api = fakeApi({});
  renderAt({ routes, at: '/?search=lamp', boot: { retryAfter } });
  expect(await screen.findByRole('heading', { level: 1, name: 'Too Many Requests' })).toBeDefined();
  expect(screen.getByText(new RegExp(`Please try again in ${wait}\\.`))).toBeDefined();
  // the same address
  expect(screen.getByText('Try again').getAttribute('href')).toBe('');
  await waitFor(() => expect(document.title).toBe('Too Many Requests | Tradepost'));
  expect(api.asked).toEqual([]);
});

test('a page at another address is shown, and the first one too if the person goes back to it', async () => {
  fakeApi(TEXTS_OF_PAGES);
  const { router } = renderAt({ routes, at: '/safety-tips', boot: { retryAfter: 42 } });
  await screen.findByText('Too Many Requests');
  await router.navigate('/privacy');
  await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' });
  await waitFor(() => expect(document.title).toBe('Privacy Policy | Tradepost'));
  await router.navigate(-1);
  await screen.findByRole('heading', { level: 1, name: /Safety/ });
});

test('a second try of the same address shows the page, with its title', async () => {
  fakeApi(TEXTS_OF_PAGES);
  const { router } = renderAt({ routes, at: '/safety-tips', boot: { retryAfter: 42 } });
  await screen.findByText('Too Many Requests');
  await router.navigate('/safety-tips');
  await screen.findByRole('heading', { level: 1, name: /Safety/ });
  await waitFor(() => expect(document.title).not.toContain('Too Many Requests'));
});
