import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnreadableFile } from '../reading/imported-ad.ts';
import { type DumpRow, readDump } from './dump.ts';

const inPieces = async function* (text: string, size = 64) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
};

const COLUMNS: Readonly<Record<string, readonly string[]>> = { oc_t_item: ['id', 'text'] };

const read = async (text: string, { size = 64, tables = COLUMNS } = {}) => {
  const rows: DumpRow[] = [];
  const warnings: string[] = [];
  const options = { listColumns: (name: string) => tables[name], onWarning: (text: string) => warnings.push(text) };
  for await (const row of readDump(inPieces(text, size), options)) rows.push(row);
  return { rows, warnings };
};

const readValues = async (text: string, size?: number) =>
  (await read(text, size === undefined ? {} : { size })).rows.map(({ values }) => values);

const TABLE =
  "CREATE TABLE `oc_t_item` (`id` int NOT NULL, `x` enum('a,b','(') COMMENT ')', `text` text, PRIMARY KEY (`id`));\n";

/** As mysqldump writes a text: what its client escapes. */
const quote = (text: string): string =>
  `'${text.replace(/[\\'"\n\r]/g, (sign) => ({ '\n': '\\n', '\r': '\\r' })[sign] ?? `\\${sign}`)}'`;

const anyText = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', "'", '"', '\\', '\n', ';', ',', '(', ')', '-- ', '/*', '*/', '`', '#', '%'),
});

test('every text comes back, in pieces of any size, with its line', async () => {
  const noise = fc.constantFrom(
    '',
    "-- a comment; '\n",
    '/*!40101 SET NAMES utf8mb4 */;\n',
    "/* it's */ ;\n",
    '# no; `statement\n',
    "INSERT INTO `other` VALUES (1,'; \\' INSERT INTO `oc_t_item` VALUES (9,9,9);',NOW());\n",
    'DELIMITER ;;\n/*!50003 CREATE*/ /*!50003 TRIGGER `t` BEGIN INSERT INTO oc_t_item VALUES (8,8,8); END */;;\nDELIMITER ;\n',
    'DELIMITER $$\nCREATE PROCEDURE p() BEGIN INSERT INTO oc_t_item VALUES (7,7,7); END $$\nDELIMITER ;\n',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(noise, fc.array(fc.option(anyText), { minLength: 1 }))),
      fc.integer({ min: 1, max: 90 }),
      async (statements, size) => {
        let text = TABLE;
        const expected: { line: number; values: object }[] = [];
        for (const [before, texts] of statements) {
          text += `${before}INSERT INTO \`oc_t_item\` VALUES `;
          for (const [at, value] of texts.entries()) {
            if (at > 0) text += ',\n';
            expected.push({ line: text.split('\n').length, values: { id: String(at), text: value } });
            text += `(${at},NULL,${value === null ? 'NULL' : quote(value)})`;
          }
          text += ';\n';
        }
        const { rows } = await read(text, { size });
        expect(rows.map(({ line, values }) => ({ line, values }))).toEqual(expected);
      },
    ),
  );
});

test('a dump that is cut inside a statement is refused with its line', async () => {
  const insert = `INSERT INTO \`oc_t_item\` VALUES (1,NULL,${quote("it's /* -- ; */")}),\n(2,'a','b');`;
  const before = `${TABLE}/*!40000 ALTER TABLE \`oc_t_item\` */;\n`;
  const cut = 'The dump ends in the middle of a statement that begins here: it is cut.';
  for (let end = 1; end < insert.length; end += 1)
    await expect(read(before + insert.slice(0, end), { size: 7 })).rejects.toThrow(`Line 3: ${cut}`);
  for (let end = 1; end < TABLE.trimEnd().length; end += 1)
    await expect(read(TABLE.slice(0, end))).rejects.toThrow(`Line 1: ${cut}`);
  await expect(read(`${before}/* a comment`)).rejects.toThrow(`Line 3: ${cut}`);
  expect((await read(before + insert)).rows).toHaveLength(2);
});

test.each([
  ["(1,2,'a''b\\0c\\%\\d')", "a'bc\\%d"],
  ['(1,2,"a\\"b""c\'")', 'a"b"c\''],
  ["(1,2,_utf8mb4'é')", 'é'],
  ['(1,2,0xC3A9)', 'é'],
  ["(1,2,_binary 'x')", 'x'],
  ["(1,2,x'6162')", 'ab'],
  ['(1,2,-1.5e3)', '-1.5e3'],
  ['(1,2,NULL)', null],
  ['(1,2,TRUE)', '1'],
  ['(1 , /* no */ 2,-- neither\n 3)', '3'],
] as const)('%s has the text %s', async (row, text) => {
  for (const size of [1, 100]) {
    expect(await readValues(`${TABLE}INSERT INTO oc_t_item VALUES ${row};`, size)).toEqual([{ id: '1', text }]);
  }
});

test.each([
  [
    'INSERT IGNORE INTO `shop`.`oc_t_item` (`text`, `id`) VALUES ("a", 1), ("b", 2) ON DUPLICATE KEY UPDATE `id` = 1;',
    2,
  ],
  ['REPLACE INTO shop.oc_t_item (text,id) VALUE ("a",1);', 1],
  ['insert delayed into oc_t_item values (1,2,"a");', 1],
])('%s is read', async (statement, count) => {
  expect(await readValues(TABLE + statement)).toHaveLength(count);
});

test.each([
  ["INSERT INTO oc_t_item VALUES (1,'a');", 'A row of oc_t_item has 2 values, and the table 3 columns.'],
  ['INSERT INTO oc_t_item VALUES (1,2,NOW());', '"NOW" is no constant.'],
  ['INSERT INTO oc_t_item SELECT * FROM x;', 'An INSERT into oc_t_item has no VALUES.'],
  ['INSERT INTO oc_t_item VALUES (1,2,3) (1,2,3), x;', undefined],
  ['INSERT INTO oc_t_item VALUES (1 2,3);', '"2" is not expected in VALUES.'],
])('%s is refused with its line', async (statement, message) => {
  const reading = read(`${TABLE}\n${statement}`);
  if (message === undefined) expect((await reading).rows).toHaveLength(1);
  else await expect(reading).rejects.toThrow(`Line 3: ${message}`);
});

test('rows without a CREATE TABLE need the names of their columns', async () => {
  const reading = read("INSERT INTO oc_t_item VALUES (1,2,'a');");
  await expect(reading).rejects.toThrow('There is no CREATE TABLE for oc_t_item');
  await expect(reading).rejects.toBeInstanceOf(UnreadableFile);
});

test('a dump whose last line is missing may be cut', async () => {
  const dump = `-- MySQL dump 10.13\n${TABLE}`;
  expect((await read(dump)).warnings).toEqual([expect.stringContaining('it may be cut')]);
  expect((await read(`${dump}-- Dump completed on 2026-01-01`)).warnings).toEqual([]);
  expect((await read(TABLE)).warnings).toEqual([]);
});

test('what nobody wants takes no memory, and what is wanted is bounded', async () => {
  const blob = async function* () {
    yield `${TABLE}INSERT INTO log VALUES (1,'`;
    for (let at = 0; at < 100; at += 1) yield 'x'.repeat(64 * 1024);
    yield "');INSERT INTO oc_t_item VALUES (1,2,'";
    for (let at = 0; at < 100; at += 1) yield 'x'.repeat(64 * 1024);
  };
  const rows = readDump(blob(), { listColumns: (name) => COLUMNS[name] });
  await expect(rows.next()).rejects.toThrow('A value is longer than 4 MB.');
});
