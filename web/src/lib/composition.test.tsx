import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Dialog } from '../ui/lazy-overlays.tsx';
import { leaveKeysToInputMethods } from './composition.ts';

leaveKeysToInputMethods();

const handleKey = vi.fn();

const Form = () => {
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen} title="Words">
      <input aria-label="Word" onKeyDown={({ key }) => handleKey(key)} />
    </Dialog>
  );
};

test.each([
  ['while a word is composed', { isComposing: true }],
  ['that Safari reports after the composition', { keyCode: 229 }],
])('a key %s reaches no handler and no library', async (_, ofInputMethod) => {
  handleKey.mockClear();
  render(<Form />);
  const field = await screen.findByLabelText('Word');
  for (const key of ['Escape', 'Enter']) fireEvent.keyDown(field, { key, ...ofInputMethod });
  expect(handleKey).not.toHaveBeenCalled();
  expect(screen.getByRole('dialog').dataset.state).toBe('open');
  fireEvent.keyDown(field, { key: 'Enter' });
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(handleKey.mock.calls).toEqual([['Enter']]);
  expect(screen.queryByRole('dialog')).toBeNull();
});
