import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { routes } from '../../routes.tsx';
import { fakeApi, TEXTS_OF_PAGES } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';

const suspendedUntil = new Date(Date.now() + 86_400_000).toISOString();

test.each(['/dashboard', '/create-ad', '/messages', '/notifications', '/preferences', '/ads/1/edit'])(
  'a suspended person sees the date at %s, the way to the reasons, and requests nothing that is refused',
  async (at) => {
    const api = fakeApi({});
    renderAt({ routes, at, boot: { me: sampleMe({ suspendedUntil }) } });
    expect(await screen.findByRole('heading', { name: /^Your account is suspended until / })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Read why and appeal' }).getAttribute('href')).toBe('/decisions');
    expect(await screen.findByRole('link', { name: 'Read why' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Download my data' })).toBeDefined();
    expect(api.asked).toEqual([]);
  },
);

test('once the time is over, the banner is gone', async () => {
  fakeApi(TEXTS_OF_PAGES);
  const me = sampleMe({ suspendedUntil: '2020-01-01T00:00:00.000Z' });
  renderAt({ routes, at: '/safety-tips', boot: { me } });
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByText(/Your account is suspended/)).toBeNull();
});
