import { fireEvent, screen, within } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import type { BrandInput, VersionedBrand } from '../../../../contract/brand.ts';
import { DEFAULT_BRAND } from '../../../../contract/default-brand.ts';
import { ENGLISH } from '../../../../contract/english.ts';
import { ENGLISH_TEXTS, speak } from '../../../../contract/i18n.ts';
import { derivePalette } from '../../../../contract/palette.ts';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { BrandTab } from './brand-tab.tsx';

const brand = (fields: Partial<VersionedBrand> = {}): VersionedBrand => ({
  ...DEFAULT_BRAND,
  translations: [],
  name: 'Tradepost',
  homeCountry: '',
  logo: null,
  version: '1',
  ...fields,
});

const open = async (saved = brand()) => {
  const bodies: BrandInput[] = [];
  const { answers } = fakeApi({
    'GET /api/admin/brand': { json: saved },
    'PUT /api/admin/brand': async (request) => {
      const body = (await request.json()) as BrandInput;
      bodies.push(body);
      return { json: { ...saved, ...body, version: '2' } };
    },
    'DELETE /api/admin/brand': { json: brand({ version: '3' }) },
  });
  renderAt({
    routes: [{ path: '/', element: <BrandTab /> }],
    boot: { env: { ...DEFAULT_SITE_CONFIG, languages: ['en', 'de', 'ar'] } },
  });
  await screen.findByText('Save Brand');
  return { bodies, answers };
};

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('every part of the brand has a control', async () => {
  await open();
  const { form } = screen.getByText('Save Brand').closest('button')!;
  const shown = [...form!.elements].map((element) => element.getAttribute('name')?.split('.')[0]);
  expect(Object.keys(brand()).filter((name) => !['version', 'logo'].includes(name) && !shown.includes(name))).toEqual(
    [],
  );
});

test('its words are written per language, which each keep', async () => {
  const arabic = { language: 'ar', headline: 'سوق', tagline: '', footerLine: '' } as const;
  const { bodies } = await open(brand({ translations: [arabic] }));
  expect((screen.getByLabelText('Headline (العربية)') as HTMLInputElement).value).toBe('سوق');
  type('Headline (Deutsch)', 'Kessel für alle');
  fireEvent.click(screen.getByText('Save Brand'));
  await screen.findByText('New pages and mails show it. Reload to see it here.');
  const none = { tagline: '', footerLine: '' };
  expect(bodies[0]?.translations).toEqual([
    { language: 'de', headline: 'Kessel für alle', ...none },
    { language: 'ar', headline: 'سوق', ...none },
  ]);
});

test('it is saved as one types it: codes in capitals, colours in small letters, a link a line', async () => {
  const { bodies } = await open();
  type('Name', 'Kettles');
  type('Home country', 'nz');
  type('Accent colour', '7A1FA2');
  type('Links in the footer', 'About us https://kettles.example/us\n\nImprint http://kettles.example/i');
  fireEvent.click(screen.getByLabelText('Show BETA beside the name'));
  fireEvent.click(screen.getByText('Save Brand'));
  expect(await screen.findByText('New pages and mails show it. Reload to see it here.')).toBeDefined();
  expect(bodies).toMatchObject([
    {
      name: 'Kettles',
      homeCountry: 'NZ',
      accent: '#7a1fa2',
      isBeta: false,
      links: [
        { label: 'About us', url: 'https://kettles.example/us' },
        { label: 'Imprint', url: 'http://kettles.example/i' },
      ],
      version: '1',
    },
  ]);
});

test('the preview shows in light and dark what is typed, before it is saved', async () => {
  const { bodies } = await open();
  type('Headline', 'Kettles for everyone');
  type('Accent colour', '#7a1fa2');
  fireEvent.click(screen.getByLabelText('Show BETA beside the name'));
  for (const theme of ['Light', 'Dark']) {
    const sample = screen.getByRole('region', { name: theme });
    expect(within(sample).getByText('Kettles for everyone')).toBeDefined();
    expect(within(sample).queryByText('BETA')).toBeNull();
  }
  expect(screen.getByRole('region', { name: 'Light' }).style.getPropertyValue('--primary')).toBe('#7a1fa2');
  expect(bodies).toEqual([]);
});

test('a colour that another one replaces in light or dark says which', async () => {
  await open();
  const say = (accent: string) => {
    type('Accent colour', accent);
    return screen.getByRole('status', { name: '' }).textContent;
  };
  const { light, dark } = derivePalette('#7a1fa2');
  expect(light.primary).toBe('#7a1fa2');
  const inDark = `On dark backgrounds, buttons and links use ${dark.primary}.`;
  expect(say('#7a1fa2')).toBe(inDark);
  expect(say('#ffee00')).toMatch(
    /^This colour has too little contrast on light backgrounds. Buttons and links use #[0-9a-f]{6} instead. On dark/,
  );
  // bright and dull: as it is in dark
  const bright = derivePalette('#5ba8fc');
  expect(bright.dark.primary).toBe('#5ba8fc');
  expect(say('#5ba8fc')).toBe(
    `This colour has too little contrast on light backgrounds. Buttons and links use ${bright.light.primary} instead.`,
  );
  expect(say('red')).toBe('');
});

test.each([
  ['Links in the footer', 'Imprint', 'Must be an http:// or https:// address'],
  ['Accent colour', 'red', 'Must be a colour such as #0265d9'],
  ['Name', ' ', 'The name cannot be blank'],
])('%s: "%s" is refused before it is sent', async (label, value, message) => {
  const { bodies } = await open();
  type(label, value);
  fireEvent.click(screen.getByText('Save Brand'));
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
  expect(bodies).toEqual([]);
});

test('what another administrator has changed is shown beside the own, and the logo stays', async () => {
  const { answers } = await open(brand({ logo: '/logo.png?v=1' }));
  const removed: Request[] = [];
  answers['DELETE /api/admin/brand/logo'] = (request) => {
    removed.push(request);
    return { json: brand({ version: '3' }) };
  };
  fireEvent.click(screen.getByText('Remove Logo'));
  answers['PUT /api/admin/brand'] = { status: 409, json: { message: 'Changed', code: 'conflict', requestId: 'r' } };
  answers['GET /api/admin/brand'] = { json: brand({ headline: 'Theirs', version: '2' }) };
  type('Headline', 'Mine');
  fireEvent.click(screen.getByText('Save Brand'));
  const dialog = await screen.findByRole('dialog', { name: 'The brand was changed elsewhere' });
  for (const text of ['Mine', 'Theirs']) expect(within(dialog).getByText(text)).toBeDefined();
  expect(removed).toEqual([]);
  fireEvent.click(within(dialog).getByText('Use the saved version'));
  expect(screen.getByLabelText<HTMLInputElement>('Headline').value).toBe('Theirs');
});

test('a reset asks first', async () => {
  await open(brand({ name: 'Kettles' }));
  fireEvent.click(screen.getByText('Reset to Defaults'));
  fireEvent.click(await screen.findByRole('button', { name: 'Reset' }));
  expect(await screen.findByText('The brand is the default again. Reload to see it here.')).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Tradepost');
});

test('built-in words are shown in the language of the administrator, and stay built in', async () => {
  const headline = 'Kaufen und verkaufen unter Leuten auf X';
  const catalogs = { ...ENGLISH, brand: { ...ENGLISH.brand, builtInHeadline: headline } };
  speak({ language: 'de', catalogs });
  onTestFinished(() => speak(ENGLISH_TEXTS));
  const { bodies } = await open();
  expect(screen.getByLabelText<HTMLInputElement>('Headline').value).toBe(headline);
  type('Name', 'Kiezmarkt');
  fireEvent.click(screen.getByText('Save Brand'));
  await expect.poll(() => bodies.at(-1)).toMatchObject({ name: 'Kiezmarkt', headline: DEFAULT_BRAND.headline });
});
