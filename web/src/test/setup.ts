import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Guards against a wait without end; a busy machine may take its time to load a chunk.
configure({ asyncUtilTimeout: 60_000 });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});
