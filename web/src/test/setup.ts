import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Only prevents an endless wait: on a busy machine, loading a chunk can take long.
configure({ asyncUtilTimeout: 60_000 });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});
