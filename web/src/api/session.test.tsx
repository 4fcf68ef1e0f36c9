import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draftKey, readStored, writeStored } from '../lib/storage.ts';
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
  const [ad, message] = [draftKey('7', 'ad'), draftKey('7', '1:2')];
  writeStored('sessionStorage', ad, '{"title":"Half an ad"}');
  writeStored('sessionStorage', message, 'Half a message');
  writeStored('sessionStorage', 'reloaded', '1');
  render(<SignOut />);
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(readStored('sessionStorage', ad)).toBeNull());
  expect(readStored('sessionStorage', message)).toBeNull();
  expect(readStored('sessionStorage', 'reloaded')).toBe('1');
});
