import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Announcer } from '../../lib/announcer.tsx';
import { fakeUploads, QuickWorker } from '../../test/fake-uploads.ts';
import { renderAt } from '../../test/render-at.tsx';
import { Composer } from './composer.tsx';

const onSend = vi.fn(async () => true);
const open = (proposals?: string[], isPinned = false) => {
  onSend.mockClear();
  const element = (
    <>
      <Composer draftKey="draft:1:2" isSending={false} onSend={onSend} proposals={proposals} isPinned={isPinned} />
      <Announcer />
    </>
  );
  renderAt({ routes: [{ path: '/', element }] });
};
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Message');
const write = (characters: number) => fireEvent.change(field(), { target: { value: '🚲'.repeat(characters) } });
const said = () => document.getElementById('announcer')?.textContent;

test('tells how much room is left once the end is near, to the ear only now and then', () => {
  open();
  write(1800);
  expect(screen.queryByText(/^Characters/)).toBeNull();
  write(1801);
  expect(said()).toBe('Characters left: 199');
  write(1802);
  expect(field().getAttribute('aria-describedby')).toBe(screen.getByText('Characters left: 198').id);
  expect(said()).toBe('Characters left: 199');
  write(1851);
  expect(said()).toBe('Characters left: 149');
  write(2000);
  fireEvent.click(screen.getByRole('button', { name: 'Send Message' }));
  expect(onSend).toHaveBeenCalledWith('🚲'.repeat(2000), []);
});

test('the field is ready for the next message once one is sent', () => {
  open();
  write(5);
  const button = screen.getByRole('button', { name: 'Send Message' });
  button.focus();
  fireEvent.click(button);
  expect(document.activeElement).toBe(field());
  expect(field().value).toBe('');
});

test.each([
  { name: 'a page on a desktop', wide: true, fine: true, isPinned: true, isFocused: true },
  { name: 'a page on a wide touch screen', wide: true, fine: false, isPinned: true, isFocused: false },
  { name: 'a page on a phone', wide: false, fine: false, isPinned: true, isFocused: false },
  { name: 'a dialog on a desktop', wide: true, fine: true, isPinned: false, isFocused: false },
])('$name puts the focus into the field: $isFocused', ({ wide, fine, isPinned, isFocused }) => {
  const matchMedia = (query: string) =>
    Object.assign(new EventTarget(), { matches: query.includes('pointer') ? fine : wide });
  vi.stubGlobal('matchMedia', matchMedia);
  open([], isPinned);
  expect(document.activeElement === field()).toBe(isFocused);
});

test('keeps what is too long whole, says by how much, and does not send it', () => {
  open();
  write(2003);
  expect(screen.getByText('Characters over the limit: 3', { selector: 'p' })).toBeDefined();
  expect(said()).toBe('Characters over the limit: 3');
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(field().maxLength).toBe(-1);
  fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send Message' }).disabled).toBe(true);
  expect(onSend).not.toHaveBeenCalled();
});

test('a proposed message is written by one tap, and never over what the person wrote', () => {
  open(['Is this still available?', 'Where can we meet?']);
  fireEvent.click(screen.getByRole('button', { name: 'Is this still available?' }));
  fireEvent.click(screen.getByRole('button', { name: 'Where can we meet?' }));
  expect(field().value).toBe('Where can we meet?');
  expect(onSend).not.toHaveBeenCalled();
  fireEvent.change(field(), { target: { value: 'Where can we meet? I am free at six.' } });
  expect(screen.queryByRole('list', { name: 'Proposed messages' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Send Message' }));
  expect(onSend).toHaveBeenCalledWith('Where can we meet? I am free at six.', []);
});

test.each([
  { name: 'a desktop', matches: true, key: {}, isSent: true },
  { name: 'a desktop with Shift', matches: true, key: { shiftKey: true }, isSent: false },
  { name: 'a phone', matches: false, key: {}, isSent: false },
  { name: 'a phone with Ctrl', matches: false, key: { ctrlKey: true }, isSent: true },
])('Enter on $name sends: $isSent', ({ matches, key, isSent }) => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches }));
  open();
  write(5);
  const isNewLine = fireEvent.keyDown(field(), { key: 'Enter', ...key });
  expect(onSend).toHaveBeenCalledTimes(isSent ? 1 : 0);
  expect(isNewLine).toBe(!isSent);
});

test('uploaded photos survive a reload with the text, until they are sent', async () => {
  const uploads = fakeUploads();
  vi.stubGlobal('Worker', QuickWorker);
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
  open();
  write(2);
  fireEvent.change(screen.getByLabelText('Photos'), {
    target: { files: [new File(['x'], 'a.jpg', { type: 'image/jpeg' })] },
  });
  await waitFor(() => expect(uploads).toHaveLength(1));
  await act(async () => uploads[0]!.answer(201, { id: '7', width: 4, height: 3 }));
  cleanup();
  open();
  const kept = await screen.findByRole('list', { name: 'Photos of the message' });
  expect(kept.querySelector('img')?.getAttribute('src')).toBe('/api/messages/photos/7/thumb');
  fireEvent.click(screen.getByRole('button', { name: 'Send Message' }));
  expect(onSend).toHaveBeenCalledWith('🚲🚲', ['7']);
  cleanup();
  open();
  expect(screen.queryByRole('list', { name: 'Photos of the message' })).toBeNull();
  expect(field().value).toBe('');
});

test('photos upload while one writes, and the message waits for them; it may have no text', async () => {
  const uploads = fakeUploads();
  vi.stubGlobal('Worker', QuickWorker);
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
  open();
  const files = ['a.jpg', 'b.jpg'].map((name) => new File(['x'], name, { type: 'image/jpeg' }));
  fireEvent.change(screen.getByLabelText('Photos'), { target: { files: files.slice(0, 1) } });
  fireEvent.paste(field(), { clipboardData: { files: files.slice(1) } });
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send Message' });
  await waitFor(() => expect(uploads).toHaveLength(1));
  expect(uploads[0]!.target).toBe('POST /api/messages/photos');
  await act(async () => uploads[0]!.answer(201, { id: '7', width: 4, height: 3 }));
  await waitFor(() => expect(uploads).toHaveLength(2));
  expect(button().disabled).toBe(true);
  await act(async () => uploads[1]!.lose());
  fireEvent.click(await screen.findByRole('button', { name: 'Try again to upload photo 2' }));
  await waitFor(() => expect(uploads).toHaveLength(3));
  await act(async () => uploads[2]!.answer(201, { id: '8', width: 4, height: 3 }));
  await waitFor(() => expect(button().disabled).toBe(false));
  fireEvent.click(button());
  expect(onSend).toHaveBeenCalledWith('', ['7', '8']);
  expect(screen.queryByRole('list', { name: 'Photos of the message' })).toBeNull();
});
