/** Who handles popstate events before the router, and may keep them from it: lib/overlay-history.ts, once it has loaded. */
export const popFirst: { handle?: (event: PopStateEvent) => void } = {};

/** Call before the router exists. On the window, browsers call listeners in the order in which they were added. */
export const listenFirst = (): void => window.addEventListener('popstate', (event) => popFirst.handle?.(event));
