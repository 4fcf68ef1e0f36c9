import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { expect, test } from 'vitest';
import { Providers } from '../../app/app.tsx';
import { SCROLL_TO_RESULTS } from '../../hooks/use-list.ts';
import { Announcer } from '../../lib/announcer.tsx';
import { forgetSearches } from '../../lib/recent-searches.ts';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { SearchForm } from './search-form.tsx';

const ASKED = 'GET /api/search/suggestions?search=';
const MUSIC = { slug: 'musical-instruments', name: 'Musical Instruments', emoji: '🎸' };
const GUITARS = { json: { searches: ['guitar', 'guide'], categories: [MUSIC] } };

const open = (answers = {}, at = '/') => {
  const api = fakeApi({ [`${ASKED}gui`]: GUITARS, ...answers });
  const element = (
    <>
      <SearchForm />
      <Announcer />
    </>
  );
  const { router } = renderAt({ routes: [{ path: '*', element }], at });
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search ads' });
  field.focus();
  const type = (value: string) => fireEvent.input(field, { target: { value } });
  const press = (key: string) => fireEvent.keyDown(field, { key });
  const activeText = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
  return { api, router, field, type, press, activeText };
};

test('suggests while a person types, and says how much', async () => {
  const { field, type } = open();
  expect(field.getAttribute('aria-expanded')).toBe('false');
  type('gui');
  const list = await screen.findByRole('listbox', { name: 'Suggestions' });
  expect(field.getAttribute('aria-expanded')).toBe('true');
  expect(field.getAttribute('aria-controls')).toBe(list.id);
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'guitar',
    'guide',
    '🎸Musical InstrumentsCategory',
  ]);
  expect(document.getElementById('announcer')?.textContent).toBe('3 suggestions');
});

test('suggests the words within a category, with the number of ads', async () => {
  const inCategories = [
    { search: 'guitar', category: 'Music', categorySlug: 'music', count: 12 },
    { search: 'guitar', category: 'Other', categorySlug: 'other', count: 500 },
  ];
  const searches = ['guitar', 'guide', 'guinea', 'guild'];
  const { router, field, type } = open(
    { [`${ASKED}gui`]: { json: { searches, inCategories, categories: [] } } },
    '/?condition=good&sort=price_asc',
  );
  type('gui');
  await screen.findByRole('listbox');
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    ...searches.slice(0, 3),
    'guitar in Music · 12',
    'guitar in Other · 500+',
  ]);
  fireEvent.click(screen.getByRole('option', { name: 'guitar in Music · 12' }));
  await waitFor(() =>
    expect(router.state.location.pathname + router.state.location.search).toBe(
      '/?category=music&search=guitar&sort=price_asc',
    ),
  );
  expect(field.value).toBe('guitar');
});

test('the arrows walk through the options and the field, around both ends, and the focus stays', async () => {
  const { field, type, press, activeText } = open();
  type('gui');
  await screen.findByRole('listbox');
  const walked = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp'].map((key) => {
    press(key);
    return activeText();
  });
  expect(walked).toEqual(['guitar', 'guide', '🎸Musical InstrumentsCategory', undefined, walked[2], 'guide']);
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('guide');
  expect(document.activeElement).toBe(field);
  expect(field.value).toBe('gui');
});

test('Enter takes the active option, else searches for what was typed', async () => {
  const { router, field, type, press } = open({ [`${ASKED}guitar`]: GUITARS }, '/?category=books');
  type('gui');
  await screen.findByRole('listbox');
  press('ArrowDown');
  press('Enter');
  await waitFor(() => expect(router.state.location.search).toBe('?category=books&search=guitar'));
  expect(screen.queryByRole('listbox')).toBeNull();
  type('gui');
  await screen.findByRole('listbox');
  fireEvent.submit(field.form as HTMLFormElement);
  await waitFor(() => expect(router.state.location.search).toBe('?category=books&search=gui'));
  expect(router.state.location.state).toEqual(SCROLL_TO_RESULTS);
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('a click takes an option; a category is shown whole, in the same order', async () => {
  const { router, field, type } = open({}, '/?maxPrice=9&search=old&sort=price_asc');
  type('gui');
  fireEvent.click(await screen.findByRole('option', { name: /Musical Instruments/ }));
  await waitFor(() => expect(router.state.location.search).toBe('?category=musical-instruments&sort=price_asc'));
  expect(field.value).toBe('');
});

test('Escape closes the list and keeps the text; an arrow opens it again; leaving closes it', async () => {
  const { field, type, press } = open();
  type('gui');
  await screen.findByRole('listbox');
  expect(press('Escape'), 'not the browser’s to handle').toBe(false);
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(field.value).toBe('gui');
  expect(field.getAttribute('aria-expanded')).toBe('false');
  expect(press('Escape')).toBe(true);
  press('ArrowDown');
  expect(screen.getByRole('listbox')).toBeDefined();
  act(() => field.blur());
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('sends a request once typing pauses, and never shows an outdated response', async () => {
  let answerLate: (answer: typeof GUITARS) => void = () => {};
  const late = new Promise<typeof GUITARS>((resolve) => {
    answerLate = resolve;
  });
  const sofa = { json: { searches: ['sofa'], categories: [] } };
  const { api, type } = open({ [`${ASKED}gu`]: () => late, [`${ASKED}sof`]: sofa });
  type('g');
  type('gu');
  await waitFor(() => expect(api.asked).toEqual([`${ASKED}gu`]));
  type('sof');
  const textsOf = (options: HTMLElement[]) => options.map(({ textContent }) => textContent);
  expect(textsOf(await screen.findAllByRole('option'))).toEqual(['sofa']);
  await act(async () => answerLate(GUITARS));
  expect(textsOf(screen.getAllByRole('option'))).toEqual(['sofa']);
});

test('what was typed before the page came alive is suggested for, and stays', async () => {
  const api = fakeApi({ [`${ASKED}gui`]: GUITARS });
  const routes = [{ path: '*', element: <SearchForm /> }];
  const router = createMemoryRouter(routes, { initialEntries: ['/?search=old'] });
  const form = (
    <Providers initialState={{ env: DEFAULT_SITE_CONFIG, me: null, data: {} }}>
      <RouterProvider router={router} />
    </Providers>
  );
  const container = document.createElement('div');
  container.innerHTML = renderToString(form);
  document.body.append(container);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search ads' });
  expect(field.value).toBe('old');
  field.focus();
  field.value = 'gui';
  render(form, { container, hydrate: true });
  expect((await screen.findAllByRole('option'))[0]?.textContent).toBe('guitar');
  const suggested = api.asked.filter((name) => name.startsWith(ASKED));
  expect([field.isConnected, field.value, suggested]).toEqual([true, 'gui', [`${ASKED}gui`]]);
});

test('without suggestions, or without an answer, it is a field that searches', async () => {
  const { api, router, field, type } = open({ [`${ASKED}gui`]: { status: 429, json: {} } });
  type('gui');
  await waitFor(() => expect(api.asked).toHaveLength(1));
  expect(screen.queryByRole('listbox')).toBeNull();
  fireEvent.submit(field.form as HTMLFormElement);
  await waitFor(() => expect(router.state.location.search).toBe('?search=gui'));
});

test('suggests up to two of the own last searches first, and forgets them by Delete or the cross', async () => {
  localStorage.clear();
  const { field, router, type, press, activeText } = open();
  for (const search of ['guitar strings', 'Old guitar', 'lamp', 'Guinea pig']) {
    type(search);
    press('Enter');
    fireEvent.submit(field.form!);
  }
  type('gui');
  await screen.findByText('Musical Instruments');
  const shown = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
  const rest = ['guitar', 'guide', '🎸Musical InstrumentsCategory'];
  expect(shown()).toEqual(['Guinea pig, Delete removes it', 'Old guitar, Delete removes it', ...rest]);
  press('ArrowDown');
  press('Delete');
  expect(shown().slice(0, 2)).toEqual(['Old guitar, Delete removes it', 'guitar strings, Delete removes it']);
  fireEvent.click(screen.getAllByRole('option')[1]!.querySelector('[data-remove]')!);
  expect(shown()).toEqual(['Old guitar, Delete removes it', ...rest]);
  press('ArrowDown');
  expect(activeText()).toBe('Old guitar, Delete removes it');
  press('Enter');
  await waitFor(() => expect(router.state.location.search).toBe('?search=Old+guitar'));
});

test('an emptied field shows the last searches; signing out forgets them', async () => {
  localStorage.clear();
  const { field, type } = open();
  type('gui');
  fireEvent.submit(field.form!);
  type('');
  expect(await screen.findByRole('option', { name: /^gui/ })).toBeDefined();
  forgetSearches();
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
});
