import { expect, test } from 'vitest';
import { speaking } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { sayName } from './names.ts';

const ANN = { display_name: 'Ann', deleted_at: null, x_id: '7', username: 'ann', role: 'admin' } as const;
const sayIn = (language: Language, row: Parameters<typeof sayName>[0]) =>
  speaking(readTexts(language), () => sayName(row));

test('an administrator whom marketctl made is called so in the language of the reader', () => {
  const made = { ...ANN, display_name: 'Administrator', x_id: null, username: null };
  expect((['en', 'de', 'ja'] as const).map((language) => sayIn(language, made))).toEqual([
    'Administrator',
    'Administrator',
    '管理者',
  ]);
});

test('who has an X account or a handle keeps their name, until they delete the account', () => {
  expect(sayIn('ja', ANN)).toBe('Ann');
  // another person has taken the handle
  expect(sayIn('ja', { ...ANN, username: null })).toBe('Ann');
  expect(sayIn('de', { ...ANN, deleted_at: '2026-11-29' })).toBe('Gelöschter Nutzer');
});
