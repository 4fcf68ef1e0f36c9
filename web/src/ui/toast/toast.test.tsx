import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ToastProvider, useToast } from './toast.tsx';

const Buttons = () => {
  const toast = useToast();
  return ['First', 'Second'].map((title) => (
    <button key={title} type="button" onClick={() => toast({ title: `${title} toast` })}>
      {title}
    </button>
  ));
};
const open = () =>
  render(
    <ToastProvider>
      <Buttons />
    </ToastProvider>,
  );
const toasts = () => [...document.querySelectorAll('[data-slot=toast]')].map(({ textContent }) => textContent);

test('one toast at a time: a new one takes the place of the last', async () => {
  open();
  fireEvent.click(screen.getByText('First'));
  await waitFor(() => expect(toasts()).toEqual(['First toast']));
  fireEvent.click(screen.getByText('Second'));
  await waitFor(() => expect(toasts()).toEqual(['Second toast']));
});

test('it can be closed', async () => {
  open();
  fireEvent.click(screen.getByText('First'));
  fireEvent.click(await screen.findByRole('button', { name: 'Close notification' }));
  await waitFor(() => expect(toasts()).toEqual([]));
});

test('F8 moves the focus to it', async () => {
  open();
  fireEvent.click(screen.getByText('First'));
  await waitFor(() => expect(toasts()).toHaveLength(1));
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
  expect(document.activeElement?.tagName).toBe('OL');
});
