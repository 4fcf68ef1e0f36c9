import { act, fireEvent, render, screen } from '@testing-library/react';
import { type ComponentType, useState } from 'react';
import { createMemoryRouter, Link, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { ToastProvider } from '../../ui/toast/toast.tsx';
import { ProgressBar } from './layout.tsx';

afterEach(() => void vi.useRealTimers());

const LatePage = () => <p>late</p>;
const waitLong = () => act(() => vi.advanceTimersByTimeAsync(1500));
const GIVE_UPS = [
  ['Cancel', () => fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ['something else that the user does', () => fireEvent.input(screen.getByLabelText('text'))],
] as const;

test.each(GIVE_UPS)('a page whose code waits says so, and does not open by itself after %s', async (_, giveUp) => {
  vi.useFakeTimers();
  const code = Promise.withResolvers<object>();
  const start = (
    <>
      <ProgressBar />
      <input aria-label="text" />
      <Link to="/late">go</Link>
    </>
  );
  const router = createMemoryRouter([
    { path: '/', element: start },
    { path: '/late', lazy: () => code.promise },
  ]);
  render(<RouterProvider router={router} />);
  fireEvent.click(screen.getByText('go'));
  await waitLong();
  expect(screen.getByRole('status').textContent).toContain('Still loading…');
  await act(async () => void giveUp());
  await act(async () => code.resolve({ Component: LatePage }));
  expect([router.state.location.pathname, screen.queryByRole('status')]).toEqual(['/', null]);
});

interface LateProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const Page = ({ Late }: { Late: ComponentType<LateProps> }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <input aria-label="text" />
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      <Late open={open} onOpenChange={setOpen} />
    </>
  );
};

test.each(GIVE_UPS)('nor does a dialog after %s', async (_, giveUp) => {
  vi.useFakeTimers();
  const code = Promise.withResolvers<ComponentType<LateProps>>();
  const Late = lazyOverlay(() => code.promise);
  render(<Page Late={Late} />);
  fireEvent.click(screen.getByText('open'));
  await waitLong();
  expect(screen.getByRole('status').textContent).toContain('Still loading…');
  await act(async () => void giveUp());
  await act(async () => code.resolve(LatePage));
  expect([screen.queryByText('late'), screen.queryByRole('status')]).toEqual([null, null]);
});

test('a click waits ten seconds at most, and then says that nothing came', async () => {
  vi.useFakeTimers();
  const code = Promise.withResolvers<ComponentType<LateProps>>();
  const Late = lazyOverlay(() => code.promise);
  render(
    <ToastProvider>
      <Page Late={Late} />
    </ToastProvider>,
  );
  fireEvent.click(screen.getByText('open'));
  await act(() => vi.advanceTimersByTimeAsync(9_500));
  expect(screen.getByRole('status').textContent).toContain('Still loading…');
  await act(() => vi.advanceTimersByTimeAsync(1000));
  vi.useRealTimers();
  await screen.findByText('This part of the page could not be loaded. Please try again.');
  await act(async () => code.resolve(LatePage));
  expect(screen.queryByText('late')).toBeNull();
});
