import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';

/** A route whose page is a chunk of its own. */
export const lazyPage = (load: () => Promise<ComponentType>): Pick<RouteObject, 'lazy'> => ({
  lazy: async () => ({ Component: await load() }),
});
