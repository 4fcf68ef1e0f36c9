import { render } from '@testing-library/react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router-dom';
import type { Boot } from '../../../contract/boot.ts';
import { Providers } from '../app/app.tsx';
import { DEFAULT_ENV } from '../app/startup/page-title.tsx';

interface Options {
  routes: RouteObject[];
  at?: string;
  boot?: Partial<Boot>;
}

/** Renders pages at an address with everything that surrounds them, and an empty cache of their own. */
export const renderAt = ({ routes, at = '/', boot = {} }: Options) => {
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const view = render(
    <Providers boot={{ env: DEFAULT_ENV, me: null, data: {}, ...boot }}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { ...view, router };
};
