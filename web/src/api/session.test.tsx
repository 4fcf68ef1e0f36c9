import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readStored, writeStored } from '../lib/storage.ts';
import { useReplaceSession } from './session.ts';

const SignOut = () => {
  const replaceSession = useReplaceSession();
  return (
    <button type="button" onClick={() => void replaceSession(null)}>
      Logout
    </button>
  );
};

test('what one person has written and not sent is not there for the next', async () => {
  writeStored('sessionStorage', 'draft:ad', '{"title":"Half an ad"}');
  writeStored('sessionStorage', 'draft:1:2', 'Half a message');
  writeStored('sessionStorage', 'reloaded', '1');
  render(<SignOut />);
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(readStored('sessionStorage', 'draft:ad')).toBeNull());
  expect(readStored('sessionStorage', 'draft:1:2')).toBeNull();
  expect(readStored('sessionStorage', 'reloaded')).toBe('1');
});
