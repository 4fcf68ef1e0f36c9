import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { VersionedSettings } from '../../../../contract/admin.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { SettingsTab } from './settings-tab.tsx';

const settings = (fields: Partial<VersionedSettings> = {}): VersionedSettings => ({
  maxAdDurationDays: 30,
  maxImagesPerAd: 5,
  moderationMode: 'automatic',
  reportHoldWeight: 3,
  bannedWords: ['spam', 'scam'],
  minXAccountAgeDays: 0,
  newAccountAdsPerDay: 10,
  newConversationsPerHour: 15,
  sameTextPeople: 5,
  distanceUnit: 'km',
  homeCountry: '',
  version: '1',
  ...fields,
});
const days = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Max ad duration (days)' });

/** Saves 60 days after another administrator has banned another word. */
const saveOutdated = async (bodies: unknown[]) => {
  const { answers } = fakeApi({
    'GET /api/admin/settings': { json: settings() },
    'PUT /api/admin/settings': async (request) => {
      const body = (await request.json()) as VersionedSettings;
      bodies.push(body);
      if (body.version === '2') return { json: { ...body, version: '3' } };
      return { status: 409, json: { message: 'Changed', code: 'conflict', requestId: 'r' } };
    },
  });
  renderAt({ routes: [{ path: '/', element: <SettingsTab hasPassword={false} /> }] });
  await screen.findByText('Save Settings');
  answers['GET /api/admin/settings'] = { json: settings({ bannedWords: ['spam', 'zither'], version: '2' }) };
  fireEvent.change(days(), { target: { value: '60' } });
  fireEvent.change(screen.getByLabelText('Moderation mode'), { target: { value: 'automatic' } });
  fireEvent.click(screen.getByText('Save Settings'));
  return screen.findByRole('dialog', { name: 'The settings were changed elsewhere' });
};

test('every setting has a control', async () => {
  fakeApi({ 'GET /api/admin/settings': { json: settings() } });
  renderAt({ routes: [{ path: '/', element: <SettingsTab hasPassword={false} /> }] });
  const { form } = (await screen.findByText('Save Settings')).closest('button')!;
  const shown = [...form!.elements].map((element) => element.getAttribute('name'));
  expect(
    Object.keys(settings()).filter((name) => !['version', 'homeCountry'].includes(name) && !shown.includes(name)),
  ).toEqual([]);
});

test('settings that another administrator has changed are shown beside the own; saving anyway overwrites them', async () => {
  const bodies: unknown[] = [];
  const dialog = await saveOutdated(bodies);
  for (const text of ['60', '30', 'spam, scam', 'spam, zither']) expect(within(dialog).getByText(text)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Save my version' }));
  expect(await screen.findByText('Settings saved successfully')).toBeDefined();
  expect(bodies).toMatchObject([
    { maxAdDurationDays: 60, version: '1' },
    { maxAdDurationDays: 60, bannedWords: ['spam', 'scam'], version: '2' },
  ]);
});

test('the settings of the other administrator can replace the own', async () => {
  const bodies: unknown[] = [];
  await saveOutdated(bodies);
  fireEvent.click(screen.getByRole('button', { name: 'Use the saved version' }));
  await waitFor(() => expect(days().value).toBe('30'));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Banned words').value).toBe('spam, zither');
  expect(bodies).toHaveLength(1);
});

test('distances are in kilometers unless the administrator chooses miles', async () => {
  const bodies: unknown[] = [];
  fakeApi({
    'GET /api/admin/settings': { json: settings() },
    'PUT /api/admin/settings': async (request) => {
      const body = (await request.json()) as VersionedSettings;
      bodies.push(body);
      return { json: { ...body, version: '2' } };
    },
  });
  renderAt({ routes: [{ path: '/', element: <SettingsTab hasPassword={false} /> }] });
  const unit = await screen.findByLabelText<HTMLSelectElement>('Distances in');
  expect(unit.value).toBe('km');
  fireEvent.change(unit, { target: { value: 'miles' } });
  fireEvent.click(screen.getByText('Save Settings'));
  expect(await screen.findByText('Settings saved successfully')).toBeDefined();
  expect(bodies).toMatchObject([{ distanceUnit: 'miles', version: '1' }]);
});
