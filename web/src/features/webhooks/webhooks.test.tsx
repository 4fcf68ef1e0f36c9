import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Webhook, WebhookDelivery } from '../../../../contract/webhooks.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { Webhooks } from './webhooks.tsx';

const HOOK: Webhook = {
  id: '7',
  url: 'https://hooks.example/a',
  events: ['ad.sold', 'offer.made'],
  format: 'standard',
  isOn: true,
  offReason: null,
  failingSince: null,
  formerSecretUntil: null,
  createdAt: '2026-11-26T12:00:00Z',
};
const DELIVERY: WebhookDelivery = {
  id: '9',
  messageId: 'msg_1',
  type: 'ad.sold',
  status: 'failed',
  attempts: 10,
  responseStatus: 500,
  error: 'responded 500',
  durationMs: 12,
  createdAt: '2026-11-26T12:00:00Z',
  lastAttemptAt: '2026-11-26T12:00:00Z',
  nextAttemptAt: null,
};
const SECRET = 'whsec_c2VjcmV0';

const show = (of: 'me' | 'site' = 'me') => {
  const element = <Webhooks of={of} />;
  renderAt({ routes: [{ path: '/', element }], at: '/', boot: { me: sampleMe() } });
};
const LIST = 'GET /api/webhooks?of=me';
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));

test('an added webhook shows its secret once', async () => {
  let sent: unknown;
  fakeApi({
    [LIST]: { json: [] },
    'POST /api/webhooks': async (request) => {
      sent = await request.json();
      return { status: 201, json: { ...HOOK, secret: SECRET } };
    },
  });
  show();
  expect(await screen.findByText('No webhooks yet.')).toBeTruthy();
  await press('Add a webhook');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
  expect(await dialog.findByText('The address is required')).toBeTruthy();
  expect(dialog.getByText('Choose at least one event')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Address'), { target: { value: HOOK.url } });
  fireEvent.click(dialog.getByLabelText(/^An ad was sold/));
  fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText(SECRET)).toBeTruthy();
  expect(sent).toEqual({ of: 'me', url: HOOK.url, events: ['ad.sold'], format: 'standard' });
  await press('I have saved it');
  expect(screen.queryByText(SECRET)).toBeNull();
});

test('one is changed in place: its address, and what it hears of', async () => {
  let sent: unknown;
  const changed = { ...HOOK, url: 'https://other.example/b', events: ['offer.made', 'ad.listed'] };
  fakeApi({
    [LIST]: () => ({ json: [sent ? changed : HOOK] }),
    'PATCH /api/webhooks/7': async (request) => {
      sent = await request.json();
      return { json: changed };
    },
  });
  show();
  await press('Change: hooks.example');
  const dialog = within(await screen.findByRole('dialog'));
  const address = await dialog.findByLabelText('Address');
  expect(address).toHaveProperty('value', HOOK.url);
  expect(dialog.getByLabelText(/^An ad was sold/)).toHaveProperty('checked', true);
  fireEvent.change(address, { target: { value: changed.url } });
  fireEvent.click(dialog.getByLabelText(/^An ad was sold/));
  fireEvent.click(dialog.getByLabelText(/^An ad became public/));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(changed.url)).toBeTruthy();
  expect(sent).toMatchObject({ url: changed.url, format: 'standard' });
  expect(new Set((sent as Webhook).events)).toEqual(new Set(changed.events));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a test says what came back', async () => {
  const result = {
    isDelivered: false,
    responseStatus: 301,
    error: 'responded 301: redirects are not followed',
    durationMs: 5,
  };
  fakeApi({ [LIST]: { json: [HOOK] }, 'POST /api/webhooks/7/test': { json: result } });
  show();
  await press('Send a test: hooks.example');
  expect(await screen.findByText('Not delivered: responded 301: redirects are not followed.')).toBeTruthy();
});

test('a failed delivery can be sent again', async () => {
  const { asked } = fakeApi({
    [LIST]: { json: [HOOK] },
    'GET /api/webhooks/7/deliveries': { json: [DELIVERY] },
    'POST /api/webhooks/7/deliveries/9/send': { status: 202, json: { ...DELIVERY, status: 'waiting', attempts: 0 } },
  });
  show();
  await press('Deliveries: hooks.example');
  expect(await screen.findByText(/10 attempts · responded 500$/)).toBeTruthy();
  await press(/^Send again: ad\.sold/);
  expect(await screen.findByText('It is sent again')).toBeTruthy();
  expect(asked.filter((name) => name.endsWith('/send'))).toHaveLength(1);
});

test('one that is switched off by failures while its log is open says so', async () => {
  const off = { ...HOOK, isOn: false, offReason: 'failing', failingSince: '2026-11-20T12:00:00Z' } as const;
  const trying = { ...DELIVERY, status: 'sending', nextAttemptAt: null } as const;
  let isOver = false;
  fakeApi({
    [LIST]: () => ({ json: [isOver ? off : HOOK] }),
    'GET /api/webhooks/7/deliveries': () => {
      // the second reading of the log finds it failed
      const json = [isOver ? DELIVERY : trying];
      isOver = true;
      return { json };
    },
  });
  show();
  await press('Deliveries: hooks.example');
  expect(screen.getByText('On')).toBeTruthy();
  await vi.waitFor(() => expect(screen.getByText('Off')).toBeTruthy(), { timeout: 60_000 });
  expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull();
});

test('one that was switched off says why, and is removed after a question', async () => {
  const off = { ...HOOK, isOn: false, offReason: 'failing', failingSince: '2026-11-20T12:00:00Z' } as const;
  const { asked } = fakeApi({ [LIST]: { json: [off] }, 'DELETE /api/webhooks/7': { status: 204 } });
  show();
  expect(await screen.findByText('Switched off: nothing was delivered for 5 days.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Switch on: hooks.example' })).toBeTruthy();
  await press('Remove: hooks.example');
  expect(asked).not.toContain('DELETE /api/webhooks/7');
  await press('Remove');
  expect(await screen.findByText('Webhook removed')).toBeTruthy();
  expect(asked).toContain('DELETE /api/webhooks/7');
});
