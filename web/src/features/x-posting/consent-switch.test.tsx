import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ConsentSwitch } from './x-posting-card.tsx';

test('the switch keeps the focus while its change is sent, and takes no other until then', () => {
  const onChange = vi.fn();
  const drawn = (isBusy: boolean) => (
    <ConsentSwitch
      label="Post my ads to X"
      question="Post my ads to X?"
      hint="Each one."
      since="2026-01-05T10:00:00.000Z"
      sample="Oak table"
      username="ann"
      isBusy={isBusy}
      onChange={onChange}
    />
  );
  const { rerender } = render(drawn(false));
  const control = screen.getByRole<HTMLButtonElement>('switch');
  control.focus();
  rerender(drawn(true));
  expect(control.disabled).toBe(false);
  expect(control.getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(control);
  fireEvent.click(control);
  expect(onChange).not.toHaveBeenCalled();
  rerender(drawn(false));
  expect(control.hasAttribute('aria-disabled')).toBe(false);
  fireEvent.click(control);
  expect(onChange.mock.calls).toEqual([[false]]);
});
