import type { ReactNode } from 'react';
import { useHydrated } from '../hooks/use-hydrated.ts';

/**
 * Renders lazily loaded components once the page is hydrated. The server cannot wait for their code: React would report
 * an error and render their surroundings again.
 */
export const InBrowser = ({ children }: { children: ReactNode }) => (useHydrated() ? children : null);
