import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { passStyleNonce, readBoot } from './app/boot.ts';
import { Providers } from './app/providers.tsx';
import { openRouter, preloadOnIntent } from './app/router.ts';
import './styles/app.css';

passStyleNonce();

const boot = readBoot();
const router = await openRouter();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Providers boot={boot}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
preloadOnIntent();
