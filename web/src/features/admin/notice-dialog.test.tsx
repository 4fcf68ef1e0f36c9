import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleAdminUser, sampleMe } from '../../test/samples.ts';
import { NoticeDialog } from './notice-dialog.tsx';

const me = sampleMe({ id: '1', role: 'admin' });
const open = (props: Partial<Parameters<typeof NoticeDialog>[0]> = {}) => {
  const onClose = vi.fn();
  renderAt({ routes: [{ path: '/', element: <NoticeDialog me={me} open onClose={onClose} {...props} /> }] });
  return onClose;
};
const write = async (title: string, body: string, button: string) => {
  fireEvent.change(await screen.findByLabelText(/^Title/), { target: { value: title } });
  fireEvent.change(screen.getByLabelText(/^Text/), { target: { value: body } });
  fireEvent.click(screen.getByRole('button', { name: button }));
};

test('a message to one person names them and closes the dialog when it is sent', async () => {
  let sent: unknown;
  fakeApi({
    'POST /api/admin/notices': async (request) => {
      sent = await request.json();
      return { status: 202, json: { id: '5' } };
    },
  });
  const onClose = open({ user: sampleAdminUser({ id: '3', displayName: 'Ann' }) });
  await screen.findByRole('dialog', { name: 'Message to Ann' });
  await write('Your ad', 'Please add a photo.', 'Send Message');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toEqual({ userId: '3', title: 'Your ad', body: 'Please add a photo.' });
});

test('a notice to everyone names no person, and stays open when it is refused', async () => {
  let sent: unknown;
  fakeApi({
    'POST /api/admin/notices': async (request) => {
      sent = await request.json();
      return { status: 503, json: { message: 'The server is busy.', code: 'overloaded', requestId: 'r' } };
    },
  });
  const onClose = open();
  await write('New rules', 'Read them.', 'Send to Everyone');
  await waitFor(() => expect(sent).toEqual({ title: 'New rules', body: 'Read them.' }));
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByDisplayValue('Read them.')).toBeDefined();
});

test('an empty message is not sent', async () => {
  const api = fakeApi({});
  open();
  await write('', ' ', 'Send to Everyone');
  expect(await screen.findByText('Title is required')).toBeDefined();
  expect(screen.getByText('Text is required')).toBeDefined();
  expect(api.asked).toEqual([]);
});
