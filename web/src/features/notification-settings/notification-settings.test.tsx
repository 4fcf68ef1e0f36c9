import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { EmailState } from '../../../../contract/email.ts';
import { DEFAULT_CHANNELS } from '../../../../contract/notification-settings.ts';
import { NOTIFICATION_KINDS } from '../../../../contract/notifications.ts';
import { type Answers, fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { NotificationSettings } from './notification-settings.tsx';

const EMAIL = 'GET /api/users/me/email';
const SET_EMAIL = 'PUT /api/users/me/email';
const SETTINGS = 'GET /api/notification-settings';
const CHANGE = 'PUT /api/notification-settings';

const NONE: EmailState = {
  isOffered: true,
  address: null,
  isFromX: false,
  opensAccount: false,
  xAddress: null,
  pending: null,
  refused: null,
  isPaused: false,
};
const CONFIRMED: EmailState = { ...NONE, address: 'ann@mail.example', opensAccount: true };
const PENDING = { address: 'new@mail.example', expiresAt: '2099-01-05T10:00:00.000Z' };

/** Shows the section for this state of the address. Changes of `answers[EMAIL]` count after the next write. */
const show = (email: EmailState, more: Answers = {}, at = '/') => {
  const api = fakeApi({
    [EMAIL]: { json: email },
    [SETTINGS]: { json: DEFAULT_CHANNELS },
    'GET /api/push/subscriptions': { json: [] },
    ...more,
  });
  renderAt({ routes: [{ path: '/', element: <NotificationSettings userId="1001" /> }], at });
  return api;
};
const section = () => document.querySelector<HTMLElement>('[data-slot=email-address]')!;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

test('every kind has a box for each channel, under its group', async () => {
  show(CONFIRMED);
  expect((await screen.findAllByRole('checkbox')).length).toBe(NOTIFICATION_KINDS.length * 2);
  expect((await box('E-mail: Lower prices of saved ads')).checked).toBe(false);
  expect((await box('Push: Lower prices of saved ads')).checked).toBe(true);
  expect(screen.getAllByRole('rowgroup').length).toBe(5);
});

test('while no preset is on, the page says so beside the kinds', async () => {
  show(CONFIRMED, { [CHANGE]: { json: DEFAULT_CHANNELS } });
  const isMixed = () => screen.queryByText('Now: set kind by kind') !== null;
  await screen.findByText('Choose each kind');
  expect(isMixed()).toBe(true);
  press('Important');
  await waitFor(() => expect(isMixed()).toBe(false));
});

test('an address confirmed where the person was not signed in asks for another link', async () => {
  const sent = { ...CONFIRMED, opensAccount: false, pending: { ...PENDING, address: CONFIRMED.address! } };
  const { asked, answers } = show({ ...CONFIRMED, opensAccount: false });
  answers[SET_EMAIL] = { json: sent };
  expect(await screen.findByText(/does not open your account/)).toBeDefined();
  press('Send Another Link');
  await waitFor(() => expect(asked).toContain(SET_EMAIL));
});

test('a site without mail offers push only', async () => {
  show({ ...NONE, isOffered: false });
  expect((await screen.findAllByRole('checkbox')).length).toBe(NOTIFICATION_KINDS.length);
  expect(section()).toBeNull();
  expect(screen.queryByText('E-mail')).toBeNull();
});

test('a click is shown at once and stored, and two quick clicks are stored in order', async () => {
  const bodies: unknown[] = [];
  show(CONFIRMED, {
    [CHANGE]: async (request) => {
      bodies.push(await request.json());
      return { json: DEFAULT_CHANNELS };
    },
  });
  const messages = await box('E-mail: Unread messages');
  fireEvent.click(messages);
  expect(messages.checked).toBe(false);
  fireEvent.click(messages);
  expect(messages.checked).toBe(true);
  await waitFor(() => expect(bodies).toEqual([{ message: { email: false } }, { message: { email: true } }]));
});

test('a click that cannot be stored is taken back, and a toast says so', async () => {
  show(CONFIRMED, { [CHANGE]: { status: 503 } });
  const messages = await box('Push: Unread messages');
  fireEvent.click(messages);
  expect(messages.checked).toBe(false);
  expect(await screen.findByText('The setting could not be saved. Please try again.')).toBeDefined();
  expect(messages.checked).toBe(true);
});

test('an address is entered, checked and sent, and the section then waits for its link', async () => {
  const { answers, asked } = show(NONE);
  const field = await screen.findByLabelText<HTMLInputElement>('E-mail address');
  fireEvent.change(field, { target: { value: 'a@b, c@d.example' } });
  press('Send Link');
  expect(await screen.findByText('Enter one e-mail address')).toBeDefined();
  expect(asked).not.toContain(SET_EMAIL);
  answers[SET_EMAIL] = { status: 429, json: { code: 'rate_limited', message: 'We have sent enough mail for today.' } };
  fireEvent.change(field, { target: { value: 'new@mail.example' } });
  press('Send Link');
  expect((await screen.findByRole('alert')).textContent).toBe('We have sent enough mail for today.');
  const waiting = { ...NONE, pending: PENDING };
  answers[SET_EMAIL] = () => {
    answers[EMAIL] = { json: waiting };
    return { json: waiting };
  };
  press('Send Link');
  expect(await screen.findByText('Link sent')).toBeDefined();
  expect(await screen.findByRole('button', { name: 'Send Another Link' })).toBeDefined();
  expect(section().textContent).toContain('Open the link that we sent to new@mail.example.');
  expect(section().contains(document.activeElement)).toBe(true);
});

test('while another address waits, the confirmed one is named, and Cancel keeps it', async () => {
  const bodies: unknown[] = [];
  const { answers } = show({ ...CONFIRMED, pending: PENDING });
  await screen.findByRole('button', { name: 'Send Another Link' });
  expect(section().textContent).toContain('Until you confirm it, e-mail goes to ann@mail.example.');
  answers[SET_EMAIL] = async (request) => {
    bodies.push(await request.json());
    answers[EMAIL] = { json: CONFIRMED };
    return { json: CONFIRMED };
  };
  press('Cancel');
  expect(await screen.findByRole('button', { name: 'Remove' })).toBeDefined();
  expect(bodies).toEqual([{ email: 'ann@mail.example' }]);
});

test('an expired link says so', async () => {
  show({ ...NONE, pending: { ...PENDING, expiresAt: '2026-01-05T10:00:00.000Z' } });
  await screen.findByRole('button', { name: 'Send Another Link' });
  expect(section().textContent).toContain('The link that we sent to new@mail.example has expired.');
});

test('an address is removed after a question, and changed in a form that Cancel closes', async () => {
  const { answers, asked } = show(CONFIRMED);
  await screen.findByRole('button', { name: 'Change' });
  press('Change');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('E-mail address')));
  press('Cancel');
  press('Remove');
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(asked).not.toContain('DELETE /api/users/me/email');
  answers['DELETE /api/users/me/email'] = () => {
    answers[EMAIL] = { json: NONE };
    return { status: 204 };
  };
  await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Remove' })));
  expect(await screen.findByText('Address removed')).toBeDefined();
  expect(await screen.findByLabelText('E-mail address')).toBeDefined();
});

test('the address of the X account is named, and can be used without a link', async () => {
  show({ ...CONFIRMED, isFromX: true });
  await screen.findByRole('button', { name: 'Change' });
  expect(section().textContent).toContain('E-mail goes to ann@mail.example, the address of your X account.');
  cleanup();
  const { answers } = show({ ...NONE, xAddress: 'x@mail.example' });
  const bodies: unknown[] = [];
  answers[SET_EMAIL] = async (request) => {
    bodies.push(await request.json());
    answers[EMAIL] = { json: { ...CONFIRMED, isFromX: true } };
    return { json: CONFIRMED };
  };
  fireEvent.click(await screen.findByRole('button', { name: 'Use x@mail.example of your X account' }));
  expect(await screen.findByRole('button', { name: 'Remove' })).toBeDefined();
  expect(bodies).toEqual([{ email: 'x@mail.example' }]);
});

test('an address that a mail server refused is named with the reason, above the form', async () => {
  show({ ...CONFIRMED, refused: { address: 'ann@mail.example', reason: '550 5.1.1 No such user' } });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('ann@mail.example does not accept our mail');
  expect(alert.textContent).toContain('550 5.1.1 No such user');
  expect(screen.getByLabelText('E-mail address')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Turn All E-mail Off' })).toBeNull();
});

test('all e-mail is turned off and on: its boxes keep their choices and cannot be changed meanwhile', async () => {
  const { answers } = show(CONFIRMED);
  answers['PATCH /api/users/me/email'] = async (request) => {
    answers[EMAIL] = { json: { ...CONFIRMED, ...((await request.json()) as object) } };
    return { json: CONFIRMED };
  };
  const messages = await box('E-mail: Unread messages');
  press('Turn All E-mail Off');
  expect(await screen.findByRole('button', { name: 'Turn E-mail On' })).toBeDefined();
  expect([messages.checked, messages.disabled]).toEqual([true, true]);
  expect((await box('Push: Unread messages')).disabled).toBe(false);
  press('Turn E-mail On');
  await waitFor(() => expect(messages.disabled).toBe(false));
});

test('a link to the section scrolls to it once it is there', async () => {
  show(CONFIRMED, {}, '/#notification-settings');
  await screen.findByRole('button', { name: 'Change' });
  expect(Element.prototype.scrollIntoView).toHaveBeenCalled();
  expect(document.activeElement?.id).toBe('notification-settings');
});

test('after a failed read it offers another try', async () => {
  const { answers } = show(CONFIRMED, { [EMAIL]: { status: 503 } });
  expect(await screen.findByText('Failed to load your notification settings')).toBeDefined();
  answers[EMAIL] = { json: CONFIRMED };
  press('Try again');
  expect(await screen.findByRole('button', { name: 'Change' })).toBeDefined();
});
