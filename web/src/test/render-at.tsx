import { render } from '@testing-library/react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router-dom';
import type { InitialState } from '../../../contract/initial-state.ts';
import { Providers } from '../app/app.tsx';
import { DEFAULT_SITE_CONFIG } from '../lib/site-config.tsx';
import { CATEGORIES } from './categories.ts';

interface Options {
  routes: RouteObject[];
  at?: string;
  boot?: { [Name in keyof InitialState]?: InitialState[Name] | undefined };
}

export const renderAt = ({ routes, at = '/', boot = {} }: Options) => {
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const data = { '/api/categories?language=en': CATEGORIES, ...boot.data };
  const view = render(
    <Providers initialState={{ env: DEFAULT_SITE_CONFIG, me: null, ...boot, data }}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { ...view, router };
};
