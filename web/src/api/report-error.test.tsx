import { render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { App } from '../app/app.tsx';
import { DEFAULT_SITE_CONFIG } from '../lib/site-config.tsx';
import { ApiError } from './client.ts';
import { REACT_ERROR_HANDLERS, reportUnhandledErrors } from './report-error.ts';

const Broken = (): never => {
  throw new Error('cannot render');
};

test('render, hydration and unhandled errors are reported; failed requests are not; the page is never blank', async () => {
  const reports: { kind: string; message: string; path: string }[] = [];
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    reports.push(JSON.parse(String(body)));
    return new Response(null, { status: 204 });
  });
  const boot = { env: DEFAULT_SITE_CONFIG, me: null, data: {} };
  render(
    <App initialState={boot}>
      <Broken />
    </App>,
    { onCaughtError: REACT_ERROR_HANDLERS.onCaughtError },
  );
  expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeDefined();
  reportUnhandledErrors();
  window.dispatchEvent(new ErrorEvent('error', { error: new Error('in a handler') }));
  window.dispatchEvent(new ErrorEvent('error', { error: new ApiError(503, 'Unavailable', '') }));
  REACT_ERROR_HANDLERS.onRecoverableError(new Error('recovered', { cause: new Error('differs') }));
  await waitFor(() => expect(reports).toHaveLength(3));
  expect(reports.map(({ kind, message }) => [kind, message])).toEqual([
    ['render', 'cannot render'],
    ['unhandled', 'in a handler'],
    ['hydration', 'differs'],
  ]);
  expect(reports[0]?.path).toBe('/');
});
