import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { ContactForm } from './contact-form.tsx';

const LABELS = ['Full Name', 'Email Address', 'Subject', 'Message'];
const field = (label: string) => screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(label) });
const isHeld = () => LABELS.map((label) => field(label).closest('fieldset')?.disabled);

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
  renderAt({ routes: [{ path: '/', element: <ContactForm /> }] });
  for (const label of LABELS) fireEvent.change(field(label), { target: { value: `my ${label}` } });
  field('Subject').focus();
  const button = screen.getByRole('button', { name: 'Send Message' });
  fireEvent.click(button);
  await waitFor(() => expect(isHeld()).toEqual([true, true, true, true]));
  expect(document.activeElement).toBe(button);
  await act(async () => resolve());
  await waitFor(() => expect(isHeld()).toEqual([false, false, false, false]));
  expect(bodies).toMatchObject([{ name: 'my Full Name', subject: 'my Subject', message: 'my Message' }]);
  expect(LABELS.map((label) => field(label).value)).toEqual(['', '', '', '']);
});
