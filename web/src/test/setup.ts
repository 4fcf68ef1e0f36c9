import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';

// Only prevents an endless wait: on a busy machine, loading a chunk can take long.
configure({ asyncUtilTimeout: 60_000 });

// jsdom has none. The window is a phone's.
beforeEach(() => vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false })));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});
