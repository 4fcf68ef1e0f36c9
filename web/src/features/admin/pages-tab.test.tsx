import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { EditedPage } from '../../../../contract/page-texts.ts';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { PagesTab } from './pages-tab.tsx';

const edited = (fields: Partial<EditedPage> = {}): EditedPage => ({
  page: 'privacy',
  language: 'en',
  shown: 'en',
  text: 'Built in',
  isBuiltIn: true,
  version: '0',
  versions: [],
  ...fields,
});
const OLD = { id: '1', savedAt: '2026-11-01T10:00:00Z', savedBy: 'ann', isBuiltIn: false, characters: 3 };
const NEW = { ...OLD, id: '2', savedAt: '2026-11-02T10:00:00Z' };

const open = async (saved = edited()) => {
  const bodies: unknown[] = [];
  const record = async (request: Request) => bodies.push(await request.json());
  const { answers, asked } = fakeApi({
    'GET /api/admin/pages/privacy?language=en': { json: saved },
    'GET /api/admin/pages/terms-of-service?language=en': {
      json: edited({ page: 'terms-of-service', text: 'The terms' }),
    },
    'GET /api/admin/pages/privacy/versions/1?language=en': { json: { id: '1', text: 'Old' } },
    'POST /api/admin/page-preview?language=en': async (request) => {
      const { text } = (await request.json()) as { text: string };
      return { json: { intro: `<p>seen: ${text}</p>`, sections: [] } };
    },
    'PUT /api/admin/pages/privacy?language=en': async (request) => {
      await record(request);
      return { json: edited({ text: 'Mine', isBuiltIn: false, version: '2', versions: [NEW, OLD] }) };
    },
    'POST /api/admin/pages/privacy/restore?language=en': async (request) => {
      await record(request);
      return { json: edited({ text: 'Old', isBuiltIn: false, version: '3' }) };
    },
    'DELETE /api/admin/pages/privacy?language=en': { json: edited({ version: '4' }) },
  });
  renderAt({ routes: [{ path: '/', element: <PagesTab /> }], at: '/?tab=pages&page=privacy' });
  await screen.findByText('Save Page');
  return { bodies, answers, asked };
};

const field = () => screen.getByLabelText<HTMLTextAreaElement>('Text');
const write = (value: string) => fireEvent.change(field(), { target: { value } });

test('the preview follows what is typed, before it is saved', async () => {
  const { bodies } = await open();
  expect(await screen.findByText('seen: Built in')).toBeDefined();
  write('Mine');
  expect(await screen.findByText('seen: Mine')).toBeDefined();
  expect(bodies).toEqual([]);
});

test('a text is saved with the version that was edited, and the history grows', async () => {
  const { bodies } = await open();
  expect(screen.getByText('The page has always had its built-in text.')).toBeDefined();
  expect(screen.queryByText('Back to Built-in Text')).toBeNull();
  write('Mine');
  fireEvent.click(screen.getByText('Save Page'));
  expect(await screen.findByText('The page shows it within a second.')).toBeDefined();
  expect(bodies).toEqual([{ text: 'Mine', version: '0' }]);
  expect(screen.getByText('Present')).toBeDefined();
  expect(screen.getByText('Back to Built-in Text')).toBeDefined();
});

test('a blank text is not sent', async () => {
  const { bodies } = await open();
  write(' ');
  fireEvent.click(screen.getByText('Save Page'));
  expect(await screen.findByText('The text cannot be blank')).toBeDefined();
  expect(bodies).toEqual([]);
});

test('of two who save, the later one sees both texts and chooses', async () => {
  const { bodies, answers } = await open();
  const put = answers['PUT /api/admin/pages/privacy?language=en']!;
  answers['PUT /api/admin/pages/privacy?language=en'] = {
    status: 409,
    json: { code: 'conflict', message: 'The page was changed in the meantime' },
  };
  answers['GET /api/admin/pages/privacy?language=en'] = {
    json: edited({ text: 'Theirs', isBuiltIn: false, version: '7' }),
  };
  write('Mine');
  fireEvent.click(screen.getByText('Save Page'));
  const dialog = within(await screen.findByRole('dialog', { name: 'The page was changed elsewhere' }));
  expect(dialog.getByText('Theirs')).toBeDefined();
  expect(dialog.getByText('Mine')).toBeDefined();
  answers['PUT /api/admin/pages/privacy?language=en'] = put;
  fireEvent.click(dialog.getByText('Save my version'));
  await screen.findByText('The page shows it within a second.');
  expect(bodies).toEqual([{ text: 'Mine', version: '7' }]);
});

test('a former version is read and restored', async () => {
  const { bodies } = await open(edited({ text: 'Mine', isBuiltIn: false, version: '2', versions: [NEW, OLD] }));
  fireEvent.click(screen.getByRole('button', { name: /^Show the version of Nov 1/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('Old')).toBeDefined();
  fireEvent.click(dialog.getByText('Restore This Version'));
  await screen.findByText('The page shows the text of that version.');
  expect(bodies).toEqual([{ id: '1' }]);
  expect(field().value).toBe('Old');
});

test('the built-in text comes back after a question', async () => {
  const { asked } = await open(edited({ text: 'Mine', isBuiltIn: false, version: '2', versions: [NEW] }));
  fireEvent.click(screen.getByText('Back to Built-in Text'));
  const question = within(await screen.findByRole('alertdialog'));
  expect(asked).not.toContain('DELETE /api/admin/pages/privacy?language=en');
  fireEvent.click(question.getByText('Go back'));
  await waitFor(() => expect(field().value).toBe('Built in'));
  expect(asked).toContain('DELETE /api/admin/pages/privacy?language=en');
});

test('what is typed and not saved is there again after a look at another page', async () => {
  await open();
  write('Half a sentence');
  const choose = (page: string) => fireEvent.change(screen.getByLabelText('Page'), { target: { value: page } });
  choose('terms-of-service');
  await waitFor(() => expect(field().value).toBe('The terms'));
  choose('privacy');
  await waitFor(() => expect(field().value).toBe('Half a sentence'));
  expect(screen.getByText('What you typed earlier is back.')).toBeDefined();
  fireEvent.click(screen.getByText('Start over'));
  await waitFor(() => expect(field().value).toBe('Built in'));
});

test('with several languages, one is chosen, and a text that its readers do not see is a proposal', async () => {
  const german = edited({ language: 'de', shown: 'en', text: 'Eingebaut' });
  const { asked } = fakeApi({
    'GET /api/admin/pages/privacy?language=en': { json: edited({ isBuiltIn: false, text: 'Mine' }) },
    'GET /api/admin/pages/privacy?language=de': { json: german },
    'POST /api/admin/page-preview?language=en': { json: { intro: '', sections: [] } },
    'POST /api/admin/page-preview?language=de': { json: { intro: '', sections: [] } },
    'PUT /api/admin/pages/privacy?language=de': { json: { ...german, shown: 'de', isBuiltIn: false, version: '8' } },
  });
  renderAt({
    routes: [{ path: '/', element: <PagesTab /> }],
    at: '/?tab=pages&page=privacy',
    boot: { env: { ...DEFAULT_SITE_CONFIG, languages: ['en', 'de'] } },
  });
  await screen.findByDisplayValue('Mine');
  fireEvent.change(screen.getByLabelText('Language'), { target: { value: 'de' } });
  await screen.findByDisplayValue('Eingebaut');
  expect(screen.getByText(/^Readers of Deutsch see your text in English/)).toBeDefined();
  fireEvent.click(screen.getByText('Save Page'));
  await waitFor(() => expect(asked).toContain('PUT /api/admin/pages/privacy?language=de'));
  await waitFor(() => expect(screen.queryByText(/^Readers of Deutsch see/)).toBeNull());
});
