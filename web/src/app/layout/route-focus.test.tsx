import { act, screen } from '@testing-library/react';
import { useEffect, useRef, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { expect, test } from 'vitest';
import { renderAt } from '../../test/render-at.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { RouteFocus } from './layout.tsx';

const Shell = () => (
  <>
    <main id="main" tabIndex={-1}>
      <Outlet />
    </main>
    <RouteFocus />
  </>
);
const WithQuestion = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      <AlertDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Really?"
        text="Think."
        confirmLabel="Yes"
        onConfirm={() => {}}
      />
    </>
  );
};
const Field = () => {
  const ref = useRef<HTMLTextAreaElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <>
      <h1>To write</h1>
      <textarea ref={ref} data-takes-focus />
    </>
  );
};
const children = [
  { path: '/', element: <WithQuestion /> },
  { path: '/field', element: <Field /> },
  { path: '/next', element: <h1>The next page</h1> },
];

test('the heading of the new page keeps the focus when a dialog goes away with the old one', async () => {
  const { router } = renderAt({ routes: [{ element: <Shell />, children }] });
  const opener = screen.getByRole('button', { name: 'Ask' });
  opener.focus();
  act(() => opener.click());
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.contains(document.activeElement)).toBe(true);
  await act(() => router.navigate('/next'));
  // The dialog returns the focus in a timer that was set before this one.
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'The next page' }));
});

test('a field that takes the focus on the new page keeps it', async () => {
  const { router } = renderAt({ routes: [{ element: <Shell />, children }] });
  await act(() => router.navigate('/field'));
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});
