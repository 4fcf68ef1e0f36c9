import { fireEvent, render, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ToastProvider } from './toast.tsx';

const loaded = vi.hoisted(() => vi.fn());
vi.mock('./toaster.tsx', () => {
  loaded();
  return { Toaster: () => null };
});

test('the widget is fetched at the first action of the user: a failure without a network must be shown without one', async () => {
  render(<ToastProvider>Page</ToastProvider>);
  expect(loaded).not.toHaveBeenCalled();
  fireEvent.pointerDown(document.body);
  await waitFor(() => expect(loaded).toHaveBeenCalledOnce());
});
