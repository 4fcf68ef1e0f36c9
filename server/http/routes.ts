import type { Route } from './route.ts';

/** Every bound endpoint, area by area. A test fails while an endpoint of the contract is missing here. */
export const routes: readonly Route[] = [];
