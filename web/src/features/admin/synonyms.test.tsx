import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SynonymGroup } from '../../../../contract/synonyms.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { SynonymsCard } from './synonyms.tsx';

const group = (fields: Partial<SynonymGroup>): SynonymGroup => ({
  id: '1',
  words: ['bike', 'cycle'],
  language: null,
  isOneWay: false,
  createdAt: '2026-11-25T00:00:00.000Z',
  ...fields,
});
const LIST = 'GET /api/admin/search/synonyms';
const ADD = 'POST /api/admin/search/synonyms';
const show = (groups: SynonymGroup[]) => {
  const api = fakeApi({ [LIST]: { json: groups } });
  renderAt({ routes: [{ path: '/', element: <SynonymsCard /> }] });
  return api;
};
const words = () => screen.getByRole('textbox', { name: /^Words or phrases/ });

test('lists the groups, the last one first, and says what each does', async () => {
  show([
    group({}),
    group({ id: '2', words: ['sofa', 'loveseat', 'couch'], isOneWay: true, language: 'en' }),
    group({ id: '3', words: ['galaxy'] }),
  ]);
  await screen.findByText('bike, cycle');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'galaxy (finds only itself)Remove',
    'sofa → loveseat, couchenRemove',
    'bike, cycleRemove',
  ]);
});

test('adds what was typed, one word after each comma, and shows it', async () => {
  const { answers } = show([]);
  await screen.findByText('You have no groups of your own yet.');
  const bodies: unknown[] = [];
  answers[ADD] = async (request) => {
    bodies.push(await request.json());
    answers[LIST] = { json: [group({})] };
    return { status: 201, json: group({}) };
  };
  fireEvent.change(words(), { target: { value: ' bike, ,cycle ' } });
  fireEvent.change(screen.getByRole('textbox', { name: /^Language/ }), { target: { value: 'EN' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add Words' }));
  expect(await screen.findByRole('listitem')).toBeDefined();
  expect(bodies).toEqual([{ words: ['bike', 'cycle'], language: 'en', isOneWay: false }]);
  await waitFor(() => expect(words()).toHaveProperty('value', ''));
});

test('says at the field what is wrong, before and after sending', async () => {
  const { answers } = show([]);
  fireEvent.click(screen.getByRole('button', { name: 'Add Words' }));
  expect(await screen.findByText('Type a word')).toBeDefined();
  answers[ADD] = {
    status: 400,
    json: {
      message: 'Invalid',
      code: 'validation_failed',
      requestId: 'r',
      fields: { language: 'Must be one of ar, de' },
    },
  };
  fireEvent.change(words(), { target: { value: 'bike' } });
  fireEvent.change(screen.getByRole('textbox', { name: /^Language/ }), { target: { value: 'xx' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add Words' }));
  expect(await screen.findByText('Must be one of ar, de')).toBeDefined();
});

test('removes a group', async () => {
  const { answers } = show([group({})]);
  answers['DELETE /api/admin/search/synonyms/1'] = () => {
    answers[LIST] = { json: [] };
    return { status: 204 };
  };
  fireEvent.click(await screen.findByRole('button', { name: 'Remove bike, cycle' }));
  expect(await screen.findByText('You have no groups of your own yet.')).toBeDefined();
});
