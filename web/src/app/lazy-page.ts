import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { loadCode } from '../lib/load-code.ts';

/** A route whose page is a chunk of its own. */
export const lazyPage = (load: () => Promise<ComponentType>): Pick<RouteObject, 'lazy'> => ({
  lazy: async () => ({ Component: await loadCode(load) }),
});
