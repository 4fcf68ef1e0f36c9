import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { ContactForm } from './contact.tsx';

const LABELS = ['Full Name', 'Email Address', 'Subject', 'Message'];
const field = (label: string) => screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(label) });
const isHeld = () => LABELS.map((label) => field(label).closest('fieldset')?.disabled);
const EMAIL = 'me@example.com';
const open = () => {
  renderAt({ routes: [{ path: '/', element: <ContactForm isPromised /> }] });
  for (const label of LABELS) {
    const value = label === 'Email Address' ? EMAIL : `my ${label}`;
    fireEvent.change(field(label), { target: { value } });
  }
};

test('nothing can be changed while it is sent, and the focus waits on its button', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const bodies: unknown[] = [];
  fakeApi({
    'POST /api/contact': async (request) => {
      bodies.push(await request.json());
      await promise;
      return { status: 202, json: { received: true } };
    },
  });
  open();
  field('Subject').focus();
  const button = screen.getByRole('button', { name: 'Send Message' });
  fireEvent.click(button);
  await waitFor(() => expect(isHeld()).toEqual([true, true, true, true]));
  expect(document.activeElement).toBe(button);
  await act(async () => resolve());
  await waitFor(() => expect(isHeld()).toEqual([false, false, false, false]));
  expect(bodies).toMatchObject([{ name: 'my Full Name', email: EMAIL, subject: 'my Subject', message: 'my Message' }]);
  expect(LABELS.map((label) => field(label).value)).toEqual(['', '', '', '']);
});

test('tells how much room is left near the end, keeps what is too long whole, and does not send it', async () => {
  const api = fakeApi({ 'POST /api/contact': { status: 202, json: { received: true } } });
  open();
  const write = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
  write('Subject', '🚲'.repeat(180));
  write('Message', '🚲'.repeat(4800));
  expect(screen.queryByText(/^Characters/)).toBeNull();
  write('Subject', '🚲'.repeat(181));
  expect(field('Subject').getAttribute('aria-describedby')).toBe(screen.getByText('Characters left: 19').id);
  write('Message', '🚲'.repeat(5003));
  expect(field('Message').getAttribute('aria-describedby')).toBe(screen.getByText('Characters over the limit: 3').id);
  expect(LABELS.map((label) => field(label).maxLength)).toEqual([-1, -1, -1, -1]);
  const button = screen.getByRole('button', { name: 'Send Message' });
  fireEvent.click(button);
  await waitFor(() => expect(document.activeElement).toBe(field('Message')));
  expect(api.asked).toEqual([]);
  write('Message', '🚲'.repeat(5000));
  fireEvent.click(button);
  await waitFor(() => expect(field('Message').value).toBe(''));
  expect(screen.queryByText(/^Characters/)).toBeNull();
});

const fields = { message: 'Not these words', email: 'Not this address' };
const refusal = { status: 400, json: { message: 'Not this', code: 'validation_failed', fields, requestId: 'r' } };

test('a refusal that names fields leads to the first of them, beside its error', async () => {
  fakeApi({ 'POST /api/contact': refusal });
  open();
  fireEvent.click(screen.getByRole('button', { name: 'Send Message' }));
  await waitFor(() => expect(document.activeElement).toBe(field('Email Address')));
  const described = field('Email Address').getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(described)?.textContent).toBe(fields.email);
});

test('a person who has gone elsewhere while it was sent is not called back to the refused field', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof refusal>();
  fakeApi({ 'POST /api/contact': () => promise });
  open();
  const button = screen.getByRole('button', { name: 'Send Message' });
  fireEvent.click(button);
  await waitFor(() => expect(document.activeElement).toBe(button));
  button.blur();
  await act(async () => resolve(refusal));
  await waitFor(() => expect(field('Message').getAttribute('aria-invalid')).toBe('true'));
  expect(isHeld()).toEqual([false, false, false, false]);
  expect(document.activeElement).toBe(document.body);
});

test('names the fields that are missing or no email address, and sends nothing', async () => {
  const api = fakeApi({});
  open();
  for (const [label, value] of [
    ['Subject', ' '],
    ['Email Address', 'me at example'],
  ] as const)
    fireEvent.change(field(label), { target: { value } });
  fireEvent.click(screen.getByRole('button', { name: 'Send Message' }));
  expect(await screen.findByText('Please fill in this field.')).toBeDefined();
  expect(await screen.findByText('Please fill in all fields.')).toBeDefined();
  expect(screen.getByText('Enter an email address')).toBeDefined();
  expect(api.asked).toEqual([]);
});

test('a second try of the same words has the key of the first, other words have another', async () => {
  const keys: (string | null)[] = [];
  fakeApi({
    'POST /api/contact': (request) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return { status: 504 };
    },
  });
  open();
  const send = async (tries: number) => {
    fireEvent.click(screen.getByRole('button', { name: 'Send Message' }));
    await waitFor(() => expect(keys).toHaveLength(tries));
    await waitFor(() => expect(isHeld()).toEqual([false, false, false, false]));
  };
  await send(1);
  await send(2);
  fireEvent.change(field('Subject'), { target: { value: 'Something else' } });
  await send(3);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});
