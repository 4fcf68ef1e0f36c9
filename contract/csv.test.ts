import fc from 'fast-check';
import { expect, test } from 'vitest';
import { neutralizeFormula, restoreFormula } from './csv.ts';

const cell = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", '=', '-', '@', '1', 'a', '\t', '.', '＝') }));

test('no cell begins a formula, numbers stay numbers, and every text comes back', () => {
  expect(neutralizeFormula('=1+1')).toBe("'=1+1");
  expect(neutralizeFormula('-12.50')).toBe('-12.50');
  expect(neutralizeFormula("'tis")).toBe("'tis");
  fc.assert(
    fc.property(cell, (text) => {
      const safe = neutralizeFormula(text);
      expect(safe).toMatch(/^(?![=+@\t\r\uFF1D\uFF0B\uFF0D\uFF20])(?!-(?!\d+(\.\d+)?$))/);
      expect(restoreFormula(safe)).toBe(text);
    }),
  );
});
