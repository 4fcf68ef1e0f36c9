import fc from 'fast-check';
import { expect, test } from 'vitest';
import { neutralizeFormula, restoreFormula } from './csv.ts';

const cell = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."'=-@1a\t\n.;|(＝") }));

test('no cell begins a formula, numbers stay numbers, and every text comes back', () => {
  expect(neutralizeFormula('=1+1')).toBe("'=1+1");
  expect(neutralizeFormula('-12.50')).toBe('-12.50');
  expect(neutralizeFormula("'tis")).toBe("'tis");
  expect(neutralizeFormula("Chair;=cmd|' /C calc'!A0")).toBe("Chair;'=cmd|' /C calc'!A0");
  expect(neutralizeFormula("Chair;-1+cmd|' /C calc'!A0")).toBe("Chair;'-1+cmd|' /C calc'!A0");
  expect(neutralizeFormula('Chairs:\n- oak\n- pine; -10 %')).toBe('Chairs:\n- oak\n- pine; -10 %');
  fc.assert(
    fc.property(cell, (text) => {
      const safe = neutralizeFormula(text);
      expect(safe).toMatch(/^(?![=+@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])(?!-(?!\d+(\.\d+)?$))/);
      // also where a program separates cells otherwise
      for (const part of safe.split(/[;\t\r\n]/)) expect(part).not.toMatch(/^([=@\uFF1D]|[-+].*[|(])/);
      expect(restoreFormula(safe)).toBe(text);
    }),
  );
});
