import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { AccessToken } from '../../../../contract/access-tokens.ts';
import { type Answers, fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { AccessTokens } from './access-tokens.tsx';

const TOKEN = 'tp_pat_abcdefghijklmnopqrstuvwxyz01234567890';
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const sample = (fields: Partial<AccessToken> = {}): AccessToken => ({
  id: '7',
  name: 'Backup',
  scopes: ['ads:read', 'messages:read'],
  lastFour: 'x9Yz',
  createdAt: inDays(-1),
  expiresAt: inDays(89),
  lastUsedAt: null,
  ...fields,
});

const show = (answers: Answers = {}, { isStaff = false, tokens = [] as AccessToken[] } = {}) => {
  const api = fakeApi({ 'GET /api/tokens': { json: tokens }, ...answers });
  const element = <AccessTokens isStaff={isStaff} />;
  renderAt({ routes: [{ path: '/', element }], at: '/', boot: { me: sampleMe() } });
  return api;
};
const openForm = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'New token' }));
  return screen.findByRole('dialog', { name: 'New access token' });
};
const scopesIn = (dialog: HTMLElement) =>
  within(dialog)
    .getAllByRole<HTMLInputElement>('checkbox')
    .map(({ value }) => value);

test('a token is made with its name, scopes and days, and shown once', async () => {
  let sent: unknown;
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
  show({
    'POST /api/tokens': async (request) => {
      sent = await request.json();
      return { status: 201, json: { ...sample(), token: TOKEN } };
    },
  });
  const dialog = await openForm();
  fireEvent.change(within(dialog).getByLabelText('Name'), { target: { value: 'Backup' } });
  fireEvent.click(within(dialog).getByLabelText(/ads:read/));
  fireEvent.click(within(dialog).getByLabelText(/messages:read/));
  fireEvent.change(within(dialog).getByLabelText('It works for'), { target: { value: '30' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Make token' }));
  const field = await screen.findByLabelText<HTMLInputElement>('Access token');
  expect(sent).toEqual({ name: 'Backup', scopes: ['ads:read', 'messages:read'], days: 30 });
  expect(field.value).toBe(TOKEN);
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
  await screen.findByText('Token copied');
  expect(writeText).toHaveBeenCalledWith(TOKEN);
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.body.innerHTML).not.toContain(TOKEN);
});

test('a form without name and scopes says what is missing, and sends nothing', async () => {
  const { asked } = show();
  const dialog = await openForm();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Make token' }));
  expect(await within(dialog).findByText('Name the token')).toBeTruthy();
  expect(within(dialog).getByText('Choose what the token may do')).toBeTruthy();
  expect(asked).not.toContain('POST /api/tokens');
});

test('a refusal of the server is shown in its words', async () => {
  show({ 'POST /api/tokens': { status: 409, json: { code: 'conflict', message: 'There are 20 access tokens.' } } });
  const dialog = await openForm();
  fireEvent.change(within(dialog).getByLabelText('Name'), { target: { value: 'Backup' } });
  fireEvent.click(within(dialog).getByLabelText(/ads:read/));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Make token' }));
  expect((await within(dialog).findByRole('alert')).textContent).toBe('There are 20 access tokens.');
});

test.each([
  [false, 9],
  [true, 11],
])('scopes of staff are offered to staff alone (%s)', async (isStaff, count) => {
  show({}, { isStaff });
  const scopes = scopesIn(await openForm());
  expect([scopes.length, scopes.includes('admin:read')]).toEqual([count, isStaff]);
});

test('a row says what the token may do, until when, and whether it was used', async () => {
  const tokens = [
    sample(),
    sample({ id: '8', name: 'Shop', lastUsedAt: new Date().toISOString() }),
    sample({ id: '9', name: 'Old', expiresAt: inDays(-1) }),
  ];
  show({}, { tokens });
  const [fresh, used, expired] = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(fresh).toMatch(/^Backup …x9Yzads:read, messages:readWorks until .+ · Not used yet/);
  expect(used).toContain('Last used');
  expect(expired).toContain('Expired');
});

test('a token is revoked after a question', async () => {
  const { asked, answers } = show({ 'DELETE /api/tokens/7': { status: 204 } }, { tokens: [sample()] });
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke Backup …x9Yz' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Revoke this token?' });
  expect(asked).not.toContain('DELETE /api/tokens/7');
  answers['GET /api/tokens'] = { json: [] };
  fireEvent.click(within(dialog).getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('Token revoked')).toBeTruthy();
  expect(asked).toContain('DELETE /api/tokens/7');
  await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull());
});
