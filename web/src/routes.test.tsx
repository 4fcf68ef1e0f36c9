import { cleanup, render, waitFor } from '@testing-library/react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router-dom';
import { expect, test } from 'vitest';
import { getFixedTitle, PAGES, type PageId } from '../../contract/pages.ts';
import { Providers } from './app/app.tsx';
import { DEFAULT_SITE_CONFIG } from './lib/site-config.tsx';
import { routes } from './routes.tsx';
import { fakeApi, TEXTS_OF_PAGES } from './test/fake-api.ts';

const toPages = (route: RouteObject): RouteObject[] => (route.path ? [route] : (route.children ?? []).flatMap(toPages));

test('the router knows the pages that the server knows, and no others', () => {
  const known = Object.entries(PAGES).map(([id, { path }]) => [id, path]);
  expect(routes.flatMap(toPages).map(({ id, path }) => [id, path])).toEqual(known);
});

test('a page with a fixed title has it in the browser too', async () => {
  fakeApi(TEXTS_OF_PAGES);
  for (const [id, { path }] of Object.entries(PAGES)) {
    const title = getFixedTitle(id as PageId, 'Tradepost');
    if (!title) continue;
    document.title = '';
    const initialEntries = [path.replace(/:\w+/g, '1').replace('*', '/nowhere')];
    render(
      <Providers initialState={{ env: DEFAULT_SITE_CONFIG, me: null, data: {} }}>
        <RouterProvider router={createMemoryRouter(routes, { initialEntries })} />
      </Providers>,
    );
    await waitFor(() => expect(document.title).toBe(`${title} | Tradepost`));
    cleanup();
  }
});
