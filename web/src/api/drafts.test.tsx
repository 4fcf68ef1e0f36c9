import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { text } from '../../../contract/text.ts';
import { draftKey, useDraft } from '../lib/draft.ts';
import { deleteDrafts } from '../lib/storage.ts';
import { useApiForm } from './use-api-form.ts';
import { waitUntilSent } from './use-form-draft.ts';

const open = <T,>(key: string | undefined) => renderHook(() => useDraft<T>(key)).result.current;

afterEach(() => vi.restoreAllMocks());

test('a draft belongs to one person and one thing', () => {
  open(draftKey('7', 'ad')).write({ title: 'Half an ad' });
  expect(open(draftKey('7', 'ad')).read()).toEqual({ title: 'Half an ad' });
  for (const other of [draftKey('8', 'ad'), draftKey('7', 'ad:1'), undefined])
    expect(open(other).read()).toBeUndefined();
});

test('an emptied draft is dropped, and all drafts with the session', () => {
  const [ad, message] = [open<string>(draftKey('7', 'ad')), open<string>(draftKey('7', 'message:1:2'))];
  ad.write('Half an ad');
  ad.write(undefined);
  expect(ad.read()).toBeUndefined();
  expect(sessionStorage.length).toBe(0);
  ad.write('Half an ad');
  message.write('Half a message');
  deleteDrafts();
  expect([ad.read(), message.read()]).toEqual([undefined, undefined]);
});

test('an entry that is no draft, or a storage that is disabled, is the same as no draft', () => {
  sessionStorage.setItem('draft:7:ad', 'Half a me');
  expect(open('draft:7:ad').read()).toBeUndefined();
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new Error('disabled');
  });
  open('draft:7:other').write('lost');
  expect(open('draft:7:other').read()).toBeUndefined();
});

const KEY = draftKey('7', 'note');
let answer: { resolve: () => void; reject: () => void };
const sent: string[] = [];
const Form = ({ since }: { since: 'typed' | 'sent' }) => {
  const { form, createSubmit, isRestored, startOver } = useApiForm({
    endpoint: { body: z.object({ note: text({ max: 100, required: 'fields.textRequired' }) }) },
    saved: { note: '' },
    draft: { key: KEY, since },
  });
  const submit = createSubmit({
    send: ({ note }, { idempotencyKey }) => {
      sent.push(`${note} ${idempotencyKey}`);
      return new Promise<void>((resolve, reject) => {
        answer = { resolve, reject: () => reject(new Error('refused')) };
      });
    },
    onSent: () => {},
    onRefused: () => {},
  });
  return (
    <form onSubmit={submit}>
      <input aria-label="Note" {...form.register('note')} />
      <button type="submit">Send</button>
      {isRestored ? (
        <button type="button" onClick={startOver}>
          Start over
        </button>
      ) : null}
    </form>
  );
};
const field = () => screen.getByLabelText<HTMLInputElement>('Note');
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const submit = async () => {
  const before = sent.length;
  press('Send');
  await waitFor(() => expect(sent.length).toBe(before + 1));
};
const reopen = (since: 'typed' | 'sent') => {
  cleanup();
  render(<Form since={since} />);
};
const isKept = () => sessionStorage.getItem(KEY) !== null;

test('what is kept since it was typed is restored, until it is sent', async () => {
  render(<Form since="typed" />);
  type('Half a note');
  reopen('typed');
  expect(field().value).toBe('Half a note');
  await submit();
  expect(isKept()).toBe(true);
  await act(async () => answer.reject());
  expect(isKept()).toBe(true);
  reopen('typed');
  // the retry of the same values after a reload
  await submit();
  expect(sent.at(-1)).toBe(sent.at(-2));
  await act(async () => answer.resolve());
  expect(isKept()).toBe(false);
  reopen('typed');
  expect(field().value).toBe('');
});

test('what is kept since it was sent is restored only if the form was left meanwhile and the request failed', async () => {
  render(<Form since="sent" />);
  type('A note');
  expect(isKept()).toBe(false);
  await submit();
  expect(isKept()).toBe(true);
  await act(async () => answer.reject());
  expect(isKept()).toBe(false);
  await submit();
  cleanup();
  answer.reject();
  await waitUntilSent(KEY);
  reopen('sent');
  expect(field().value).toBe('A note');
});

test('starting over drops the draft', () => {
  render(<Form since="typed" />);
  type('Half a note');
  reopen('typed');
  press('Start over');
  expect([field().value, isKept()]).toEqual(['', false]);
});

test('a success does not drop a newer draft of the same thing', async () => {
  render(<Form since="typed" />);
  type('A note');
  await submit();
  const first = answer;
  reopen('typed');
  type('Another note');
  await act(async () => first.resolve());
  reopen('typed');
  expect(field().value).toBe('Another note');
});
