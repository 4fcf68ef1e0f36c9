import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CountedCategory } from '../../../../contract/admin-categories.ts';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { CategoriesTab } from './categories-tab.tsx';

const category = (slug: string, fields: Partial<CountedCategory> = {}): CountedCategory => ({
  slug,
  name: slug.toUpperCase(),
  emoji: '📦',
  icon: 'package',
  isDisabled: false,
  ads: 2,
  names: [],
  version: `v-${slug}`,
  ...fields,
});

const open = async (...categories: CountedCategory[]) => {
  const bodies: [string, unknown][] = [];
  const answer = (name: string, json: unknown, status = 200) => ({
    [name]: async (request: Request) => {
      bodies.push([name, await request.json()]);
      return { json, status };
    },
  });
  const { answers } = fakeApi({
    'GET /api/admin/categories': { json: categories },
    'GET /api/categories?language=en': { json: [] },
    ...answer('POST /api/admin/categories', category('new'), 201),
    ...answer('PUT /api/admin/categories/b', category('b')),
    ...answer('POST /api/admin/categories/b/move', category('b')),
    ...answer('POST /api/admin/categories/b/merge', { ads: 2 }),
  });
  renderAt({ routes: [{ path: '/', element: <CategoriesTab /> }] });
  await screen.findByText('Add a Category');
  await screen.findAllByRole('listitem');
  return { bodies, answers };
};

const ALL = ['a', 'b', 'c'].map((slug) => category(slug));
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('up and down say which category follows then', async () => {
  const { bodies } = await open(...ALL, category('d'));
  press('Move B up');
  await waitFor(() => expect(bodies).toEqual([['POST /api/admin/categories/b/move', { before: 'a' }]]));
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Move B down' }).getAttribute('aria-disabled')).not.toBe('true'),
  );
  press('Move B down');
  await waitFor(() => expect(bodies[1]).toEqual(['POST /api/admin/categories/b/move', { before: 'd' }]));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Move A up' }).disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Move D down' }).disabled).toBe(true);
});

test('the last but one goes behind all', async () => {
  const { bodies } = await open(...ALL);
  press('Move B down');
  await waitFor(() => expect(bodies).toEqual([['POST /api/admin/categories/b/move', { before: null }]]));
});

test('a category is edited with the version that was read, and a refusal says why', async () => {
  const { bodies, answers } = await open(...ALL);
  press('Edit B');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit B' }));
  fireEvent.change(dialog.getByLabelText(/^Name/), { target: { value: 'Boats' } });
  fireEvent.change(dialog.getByLabelText('Slug'), { target: { value: ' Boats ' } });
  fireEvent.change(dialog.getByLabelText('Icon'), { target: { value: 'sailboat' } });
  const put = answers['PUT /api/admin/categories/b']!;
  answers['PUT /api/admin/categories/b'] = { status: 409, json: { code: 'conflict', message: 'There is one already' } };
  fireEvent.click(dialog.getByText('Save Category'));
  expect(await dialog.findByText('There is one already')).toBeDefined();
  answers['PUT /api/admin/categories/b'] = put;
  fireEvent.click(dialog.getByText('Save Category'));
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]![1]).toEqual({ name: 'Boats', slug: 'boats', names: [], icon: 'sailboat', version: 'v-b' });
});

test('an emoji without an icon stays as long as none is chosen', async () => {
  const { bodies } = await open(category('a'), category('b', { icon: null, emoji: '🧙' }));
  press('Edit B');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit B' }));
  fireEvent.change(dialog.getByLabelText(/^Name/), { target: { value: 'Wizards' } });
  fireEvent.click(dialog.getByText('Save Category'));
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]![1]).toEqual({ name: 'Wizards', slug: 'b', names: [], version: 'v-b' });
});

test('one is added, switched off, and merged after a question', async () => {
  const { bodies } = await open(...ALL);
  press('Add a Category');
  const adding = within(await screen.findByRole('dialog', { name: 'Add a category' }));
  fireEvent.change(adding.getByLabelText(/^Name/), { target: { value: 'New' } });
  fireEvent.change(adding.getByLabelText('Icon'), { target: { value: 'tag' } });
  fireEvent.click(adding.getByText('Add Category'));
  await waitFor(() => expect(bodies[0]?.[1]).toEqual({ name: 'New', slug: '', icon: 'tag', names: [] }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  press('Switch B off');
  await waitFor(() => expect(bodies[1]?.[1]).toEqual({ isDisabled: true }));
  press('Merge B');
  const question = within(await screen.findByRole('alertdialog', { name: 'Merge B?' }));
  expect(question.getByText<HTMLButtonElement>('Merge').disabled).toBe(true);
  fireEvent.change(question.getByLabelText('Into'), { target: { value: 'c' } });
  fireEvent.click(question.getByText('Merge'));
  await waitFor(() => expect(bodies[2]).toEqual(['POST /api/admin/categories/b/merge', { into: 'c' }]));
  expect(await screen.findByText('2 ads moved to C.')).toBeDefined();
});

test('with several languages, a category has a name in each', async () => {
  const books = category('books', { names: [{ language: 'de', name: 'Bücher' }] });
  let body: unknown;
  fakeApi({
    'GET /api/admin/categories': { json: [books] },
    'GET /api/categories?language=en': { json: [] },
    'POST /api/admin/categories': async (request) => {
      body = await request.json();
      return { status: 201, json: books };
    },
    'PUT /api/admin/categories/books': async (request) => {
      body = await request.json();
      return { json: books };
    },
  });
  renderAt({
    routes: [{ path: '/', element: <CategoriesTab /> }],
    boot: { env: { ...DEFAULT_SITE_CONFIG, languages: ['en', 'de', 'ar'] } },
  });
  // the page knows it by another name in its own language
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Books & Media' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByLabelText<HTMLInputElement>('Name in Deutsch').value).toBe('Bücher');
  fireEvent.change(dialog.getByLabelText('Name in العربية'), { target: { value: 'كتب' } });
  fireEvent.change(dialog.getByLabelText('Name in Deutsch'), { target: { value: '' } });
  fireEvent.click(dialog.getByText('Save Category'));
  const names = [
    { language: 'de', name: '' },
    { language: 'ar', name: 'كتب' },
  ];
  await waitFor(() => expect(body).toMatchObject({ name: 'BOOKS', names, version: 'v-books' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  press('Add a Category');
  const adding = within(await screen.findByRole('dialog', { name: 'Add a category' }));
  fireEvent.change(adding.getByLabelText(/^Name\b(?! in)/), { target: { value: 'Gnomes' } });
  fireEvent.change(adding.getByLabelText('Name in Deutsch'), { target: { value: 'Zwerge' } });
  fireEvent.click(adding.getByText('Add Category'));
  await waitFor(() =>
    expect(body).toMatchObject({
      name: 'Gnomes',
      names: [
        { language: 'de', name: 'Zwerge' },
        { language: 'ar', name: '' },
      ],
    }),
  );
});
