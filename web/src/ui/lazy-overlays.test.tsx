import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { lazyOverlay } from './lazy-overlays.tsx';
import { ToastProvider } from './toast/toast.tsx';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}
const Overlay = ({ open }: Props) => (open ? <p>overlay</p> : null);

const load = vi.fn();
const Lazy = lazyOverlay<Props>(load);

const Page = () => {
  const [open, setOpen] = useState(false);
  return (
    <ToastProvider>
      <input aria-label="Title" />
      <button type="button" aria-expanded={open} onClick={() => setOpen(true)}>
        Open
      </button>
      <Lazy open={open} onOpenChange={setOpen} />
    </ToastProvider>
  );
};

test('an overlay whose code cannot be loaded leaves the page and its texts; the next opening tries again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  load.mockRejectedValueOnce(new Error('no code')).mockResolvedValue(Overlay);
  render(<Page />);
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Half an ad' } });
  const button = screen.getByRole('button', { name: 'Open' });
  fireEvent.click(button);
  expect(await screen.findByText('This part of the page could not be loaded. Please try again.')).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Half an ad');
  await waitFor(() => expect(button.getAttribute('aria-expanded')).toBe('false'));
  fireEvent.click(button);
  expect(await screen.findByText('overlay')).toBeDefined();
});
