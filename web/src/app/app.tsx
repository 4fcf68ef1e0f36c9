import { type ReactNode, StrictMode, useEffect } from 'react';
import type { Boot } from '../../../contract/boot.ts';
import { takeOver } from './boot.ts';
import { Providers } from './providers.tsx';

/** The whole application around its router: the same tree in the browser and where the server renders its first HTML. */
export const App = ({ boot, children }: { boot: Boot; children: ReactNode }) => {
  useEffect(takeOver, []);
  return (
    <StrictMode>
      <Providers boot={boot}>{children}</Providers>
    </StrictMode>
  );
};
