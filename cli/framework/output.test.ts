import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import {
  createOutput,
  escapeControls,
  getDisplayWidth,
  loadCsvFormat,
  type OutputFlags,
  truncateTo,
} from './output.ts';

const FLAGS: OutputFlags = {
  output: 'table',
  isFormatGiven: true,
  headers: true,
  bom: false,
  quiet: false,
  color: false,
};
const SHAPE = { fields: ['id', 'name', 'note'], table: ['id', 'name'] };

const print = async (flags: Partial<OutputFlags>, rows: Record<string, unknown>[], columns?: number) => {
  let text = '';
  const stdout = Object.assign(
    new Writable({
      write(chunk, _e, done) {
        text += chunk;
        done();
      },
    }),
    { isTTY: columns !== undefined, columns },
  );
  await createOutput(stdout, () => ({ ...FLAGS, ...flags })).rows(SHAPE, rows);
  return text;
};

describe('output', () => {
  const rows = [{ id: '1', name: 'Ann', note: 'x' }];

  test('a table shows the chosen fields, aligned', async () => {
    expect(await print({}, [...rows, { id: '10002', name: 'B', note: '' }])).toBe(
      'id     name\n1      Ann\n10002  B\n',
    );
  });

  test('no rows are no output in a table, [] in JSON and a header in CSV', async () => {
    expect(await print({}, [])).toBe('');
    expect(JSON.parse(await print({ output: 'json' }, []))).toEqual([]);
    expect(await print({ output: 'ndjson' }, [])).toBe('');
    expect(await print({ output: 'csv' }, [])).toBe('id,name,note\r\n');
  });

  test('JSON has every field in order, null where there is nothing', async () => {
    const text = await print({ output: 'json' }, [{ note: 'n', id: '1' }]);
    expect(text).toContain('{"id":"1","name":null,"note":"n"}');
    expect(await print({ output: 'ndjson' }, rows)).toBe('{"id":"1","name":"Ann","note":"x"}\n');
  });

  test('--quiet prints ids, --fields chooses and orders, --no-headers drops the names', async () => {
    expect(await print({ quiet: true, output: 'json' }, rows)).toBe('1\n');
    expect(await print({ fields: ['note', 'id'], headers: false, output: 'csv' }, rows)).toBe('x,1\r\n');
  });

  test('--bom starts CSV with one byte order mark, and nothing else', async () => {
    expect(await print({ output: 'csv', bom: true }, rows)).toBe('\uFEFFid,name,note\r\n1,Ann,x\r\n');
    expect(await print({ output: 'csv', bom: true, headers: false }, rows)).toBe('\uFEFF1,Ann,x\r\n');
    expect(await print({ output: 'csv', bom: true }, [])).toBe('\uFEFFid,name,note\r\n');
    for (const flags of [{ output: 'json' }, { output: 'ndjson' }, { output: 'table' }, { output: 'csv', quiet: true }])
      expect(await print({ ...flags, bom: true } as Partial<OutputFlags>, rows)).not.toContain('\uFEFF');
  });

  test('control characters of a text never reach the terminal', async () => {
    const text = await print({ fields: ['name'], headers: false }, [{ name: 'a\u001B[31mb\nc\u202Ed\u0007' }]);
    expect(text).toBe('a\\u001b[31mb\\nc\\u202ed\\u0007\n');
    expect(escapeControls('\u009B2J')).toBe('\\u009b2J');
  });

  test('nor does one in JSON or in CSV on a terminal; in a file CSV stays as it is', async () => {
    const hostile = [{ id: '1', name: 'a\u009B31m\u202Eb\u001B]0;x\u0007', note: 'two\nlines' }];
    const json = await print({ output: 'json' }, hostile);
    expect(json).not.toMatch(/[\u0080-\u009F\u202E]/);
    expect(JSON.parse(json)).toEqual(hostile);
    expect(await print({ output: 'csv', headers: false }, hostile, 80)).toBe(
      '1,a\\u009b31m\\u202eb\\u001b]0;x\\u0007,two\\nlines\r\n',
    );
    expect(await print({ output: 'csv', headers: false }, hostile)).toContain('"two\nlines"');
  });

  test('on a terminal lines are cut to its width, in a pipe never', async () => {
    const long = [{ id: '1', name: 'n'.repeat(100) }];
    expect((await print({}, long, 40)).split('\n').every((line) => getDisplayWidth(line) <= 40)).toBe(true);
    expect(await print({}, long)).toContain('n'.repeat(100));
    expect(truncateTo('日本語のテキスト', 7)).toBe('日本語…');
  });

  test('CSV follows RFC 4180 and defuses formulas but not numbers', async () => {
    const toCsvLine = await loadCsvFormat();
    expect(toCsvLine(['a,b', 'say "hi"', 'two\r\nlines', null])).toBe('"a,b","say ""hi""","two\r\nlines",\r\n');
    expect(toCsvLine(['=1+1', '+1', '-1.5', '@x', '-cmd', '\tx'])).toBe("'=1+1,'+1,-1.5,'@x,'-cmd,'\tx\r\n");
  });
});
