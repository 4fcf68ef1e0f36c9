import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Dialog } from '../ui/lazy-overlays.tsx';
import { ToastProvider, useToast } from '../ui/toast/toast.tsx';

const Layers = () => {
  const toast = useToast();
  const [outer, setOuter] = useState(true);
  const [inner, setInner] = useState(true);
  return (
    <Dialog open={outer} onOpenChange={setOuter} title="Outer">
      <Dialog open={inner} onOpenChange={setInner} title="Inner">
        <button type="button" onClick={() => toast({ title: 'Saved' })}>
          Save
        </button>
      </Dialog>
    </Dialog>
  );
};

test('Escape closes what was opened last, and a toast after all of that', async () => {
  render(
    <ToastProvider>
      <Layers />
    </ToastProvider>,
  );
  fireEvent.click(await screen.findByText('Save'));
  const isThere = (slot: string) => document.querySelectorAll(`[data-slot=${slot}][data-state=open]`).length;
  await waitFor(() => expect([isThere('dialog'), isThere('toast')]).toEqual([2, 1]));
  const after: number[][] = [];
  for (let press = 1; press <= 3; press++) {
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await waitFor(() => expect(isThere('dialog') + isThere('toast')).toBe(3 - press));
    after.push([isThere('dialog'), isThere('toast')]);
  }
  expect(after).toEqual([
    [1, 1],
    [0, 1],
    [0, 0],
  ]);
});
