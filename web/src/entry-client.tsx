import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { isTestUser } from './api/query.ts';
import { REACT_ERROR_HANDLERS, reportUnhandledErrors } from './api/report-error.ts';
import { App } from './app/app.tsx';
import { createRouter, preloadOnIntent } from './app/router.ts';
import { passStyleNonce, readInitialState } from './app/startup/initial-state.ts';
import { followTheme } from './lib/theme.ts';
import './styles/app.css';

passStyleNonce();
followTheme();

const boot = readInitialState();
reportUnhandledErrors();
const root = document.getElementById('root') as HTMLElement;
// The server's HTML is hydrated where the browser would render the same; else it is replaced.
const isRendered = root.childElementCount > 0 && !isTestUser(boot);
const router = await createRouter(isRendered);
const app = (
  <App boot={boot}>
    <RouterProvider router={router} />
  </App>
);

// A transition: React hydrates in slices, between which clicks get through.
if (isRendered && router.state.initialized) startTransition(() => void hydrateRoot(root, app, REACT_ERROR_HANDLERS));
else createRoot(root, REACT_ERROR_HANDLERS).render(app);
preloadOnIntent();
