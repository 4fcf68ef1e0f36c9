import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ENGLISH_TEXTS, speak } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';
import { PriceInput } from './price-input.tsx';

afterEach(() => speak(ENGLISH_TEXTS));

test.each<[Language, 'paddingInlineStart' | 'paddingInlineEnd']>([
  ['en', 'paddingInlineStart'],
  ['pt-BR', 'paddingInlineStart'],
  ['ja', 'paddingInlineStart'],
  ['de', 'paddingInlineEnd'],
  ['fr', 'paddingInlineEnd'],
  ['ar', 'paddingInlineEnd'],
])('in %s, the sign of the currency has its place at %s', (language, side) => {
  speak({ ...ENGLISH_TEXTS, language });
  render(<PriceInput aria-label="Price" />);
  const { style } = screen.getByLabelText('Price');
  const sides = (['paddingInlineStart', 'paddingInlineEnd'] as const).filter((one) => style[one] !== '');
  expect(sides).toEqual([side]);
  expect(screen.getByText(/\$/).parentElement?.className).toContain(side === 'paddingInlineEnd' ? 'end-3' : 'start-3');
});
