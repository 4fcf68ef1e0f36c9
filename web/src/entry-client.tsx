import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { isTestUser } from './api/query.ts';
import { App } from './app/app.tsx';
import { openRouter, preloadOnIntent } from './app/router.ts';
import { passStyleNonce, readInitialState } from './app/startup/initial-state.ts';
import { followTheme } from './lib/theme.ts';
import './styles/app.css';

passStyleNonce();
followTheme();

const boot = readInitialState();
const root = document.getElementById('root') as HTMLElement;
// What the server drew is taken over where it is what would be drawn here; else it is replaced.
const isDrawn = root.childElementCount > 0 && !isTestUser(boot);
const router = await openRouter(isDrawn);
const app = (
  <App boot={boot}>
    <RouterProvider router={router} />
  </App>
);

// A transition: in slices, between which clicks get through.
if (isDrawn && router.state.initialized) startTransition(() => void hydrateRoot(root, app));
else createRoot(root).render(app);
preloadOnIntent();
