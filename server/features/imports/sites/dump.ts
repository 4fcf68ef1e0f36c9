import { UnreadableFile } from '../reading/imported-ad.ts';
import {
  type Cursor,
  findStatement,
  openCursor,
  readDelimiter,
  readToken,
  skipStatement,
  type Token,
} from './dump-tokens.ts';

/** The columns of a row that are asked for; null is NULL. */
export type Values = Readonly<Record<string, string | null>>;

export interface DumpRow {
  table: string;
  line: number;
  values: Values;
}

interface DumpOptions {
  /** The columns of a table that are wanted; undefined: none of its rows. */
  listColumns: (table: string) => readonly string[] | undefined;
  onWarning?: (sentence: string) => void;
}

const MAX_COLUMNS = 1000;
/** Characters of a value that are kept: more than any ad may have, so that it is still too long. */
const MAX_VALUE = 1024 * 1024;

interface Statement {
  cursor: Cursor;
  begin: number;
}

const next = ({ cursor, begin }: Statement): Token | Promise<Token> => readToken(cursor, begin);

const isSign = ({ kind, text }: Token, sign: string): boolean => kind === 'sign' && text === sign;
const isWord = ({ kind, text }: Token, word: string): boolean => kind === 'word' && text.toUpperCase() === word;
const isEnd = (token: Token): boolean => isSign(token, ';');

const refuse = ({ cursor }: Statement, what: string): UnreadableFile => new UnreadableFile(what, cursor.line);

/** The name of a table that begins with this token, without that of its database; and the token behind it. */
const readTableName = async (statement: Statement, first: Token): Promise<{ name: string; behind: Token }> => {
  let name = first.kind === 'word' ? first.text.slice(first.text.lastIndexOf('.') + 1) : first.text;
  let behind = await next(statement);
  // `database`.`table`: a point is a word, or stands before one
  while (behind.kind === 'word' && behind.text.startsWith('.')) {
    name = behind.text.length > 1 ? behind.text.slice(1) : (await next(statement)).text;
    behind = await next(statement);
  }
  return { name, behind };
};

const KEYS = 'PRIMARY KEY UNIQUE INDEX FULLTEXT SPATIAL CONSTRAINT FOREIGN CHECK PERIOD'.split(' ');

/** The names of columns between "(" and ")": the first token of each definition that is not that of a key. */
const readDefinitions = async (statement: Statement): Promise<string[]> => {
  const columns: string[] = [];
  for (let depth = 1, isFirst = true; depth > 0; ) {
    const token = await next(statement);
    const isColumn = token.kind !== 'sign' && !(token.kind === 'word' && KEYS.includes(token.text.toUpperCase()));
    if (depth === 1 && isFirst && isColumn) columns.push(token.text);
    if (columns.length > MAX_COLUMNS) throw refuse(statement, `The table has more than ${MAX_COLUMNS} columns.`);
    isFirst = depth === 1 && isSign(token, ',');
    if (isSign(token, '(')) depth += 1;
    if (isSign(token, ')')) depth -= 1;
    if (isSign(token, ';')) throw refuse(statement, 'The CREATE TABLE ends in the middle of its columns.');
  }
  return columns;
};

/** A table's name and columns, after CREATE; undefined if that makes something else. */
const readTable = async (statement: Statement): Promise<{ name: string; columns: string[] } | undefined> => {
  let token = await next(statement);
  if (isWord(token, 'TEMPORARY')) token = await next(statement);
  if (!isWord(token, 'TABLE')) return undefined;
  token = await next(statement);
  if (isWord(token, 'IF')) {
    await next(statement);
    await next(statement);
    token = await next(statement);
  }
  const { name, behind } = await readTableName(statement, token);
  return isSign(behind, '(') ? { name, columns: await readDefinitions(statement) } : undefined;
};

const fromHex = (digits: string): string => Buffer.from(digits, 'hex').toString('utf8').replaceAll('\0', '');

/** A value that begins with this token: a constant. */
const readValue = async (statement: Statement, token: Token): Promise<string | null> => {
  if (token.kind === 'text') return token.text;
  const word = token.kind === 'word' ? token.text : '';
  if (/^null$/i.test(word)) return null;
  if (/^[-+]?[\d.][\d.eE+-]*$/.test(word)) return word;
  if (/^0x[\da-f]*$/i.test(word)) return fromHex(word.slice(2));
  if (/^true$/i.test(word)) return '1';
  if (/^false$/i.test(word)) return '0';
  const isHex = /^x$/i.test(word);
  if (isHex || /^b$/i.test(word) || /^n$/i.test(word) || /^_\w+$/.test(word)) {
    const value = await next(statement);
    if (value.kind === 'text') return isHex ? fromHex(value.text) : value.text;
    // _binary 0x…
    if (value.kind === 'word' && /^0x[\da-f]*$/i.test(value.text)) return fromHex(value.text.slice(2));
  }
  throw refuse(
    statement,
    `"${token.text.slice(0, 30)}" is no constant. Only dumps with VALUES of constants can be read.`,
  );
};

interface Inserting {
  statement: Statement;
  table: string;
  columns: readonly string[];
  wanted: ReadonlySet<string>;
}

/** The values between "(" and ")". */
const readRow = async ({ statement, table, columns, wanted }: Inserting): Promise<Values> => {
  const values: Record<string, string | null> = {};
  for (let at = 0; ; at += 1) {
    const first = next(statement);
    const value = await readValue(statement, first instanceof Promise ? await first : first);
    const column = columns[at];
    if (column !== undefined && wanted.has(column)) values[column] = value?.slice(0, MAX_VALUE) ?? null;
    const sign = await next(statement);
    if (isSign(sign, ',')) continue;
    if (!isSign(sign, ')')) throw refuse(statement, `"${sign.text.slice(0, 30)}" is not expected in VALUES.`);
    if (at + 1 === columns.length) return values;
    throw refuse(statement, `A row of ${table} has ${at + 1} values, and the table ${columns.length} columns.`);
  }
};

async function* readRows(inserting: Inserting): AsyncGenerator<DumpRow> {
  const { statement, table } = inserting;
  for (;;) {
    const open = await next(statement);
    if (!isSign(open, '(')) throw refuse(statement, `"${open.text.slice(0, 30)}" is not expected in VALUES.`);
    const { line } = statement.cursor;
    yield { table, line, values: await readRow(inserting) };
    const behind = await next(statement);
    if (isSign(behind, ',')) continue;
    // ON DUPLICATE KEY UPDATE …
    if (!isEnd(behind)) await skipStatement(statement.cursor, statement.begin);
    return;
  }
}

/** The table and columns after INSERT or REPLACE, up to VALUES; undefined: nobody wants them, and the statement is passed. */
const readInsert = async (
  statement: Statement,
  tables: ReadonlyMap<string, readonly string[]>,
  listColumns: DumpOptions['listColumns'],
): Promise<Inserting | undefined> => {
  let token = await next(statement);
  while (['IGNORE', 'DELAYED', 'LOW_PRIORITY', 'HIGH_PRIORITY', 'INTO'].some((word) => isWord(token, word)))
    token = await next(statement);
  const { name: table, behind } = await readTableName(statement, token);
  const wanted = listColumns(table);
  if (wanted === undefined) {
    if (!isEnd(behind)) await skipStatement(statement.cursor, statement.begin);
    return undefined;
  }
  let columns = tables.get(table);
  token = behind;
  if (isSign(token, '(')) {
    columns = await readDefinitions(statement);
    token = await next(statement);
  }
  if (!isWord(token, 'VALUES') && !isWord(token, 'VALUE'))
    throw refuse(statement, `An INSERT into ${table} has no VALUES.`);
  if (columns === undefined)
    throw refuse(statement, `There is no CREATE TABLE for ${table}: make the dump without --no-create-info.`);
  return { statement, table, columns, wanted: new Set(wanted) };
};

async function* readStatement(
  statement: Statement,
  tables: Map<string, readonly string[]>,
  listColumns: DumpOptions['listColumns'],
): AsyncGenerator<DumpRow> {
  const first = await next(statement);
  if (isEnd(first)) return;
  if (isWord(first, 'INSERT') || isWord(first, 'REPLACE')) {
    const inserting = await readInsert(statement, tables, listColumns);
    if (inserting) yield* readRows(inserting);
    return;
  }
  const table = isWord(first, 'CREATE') ? await readTable(statement) : undefined;
  if (table && listColumns(table.name)) tables.set(table.name, table.columns);
  await skipStatement(statement.cursor, statement.begin);
}

/**
 * The rows of tables in a dump of mysqldump, mariadb-dump or phpMyAdmin, in their order. Nothing is executed, and memory does not
 * grow with the file. @throws {UnreadableFile} with the line from which on it makes no sense, also where it is cut
 */
export async function* readDump(
  text: AsyncIterable<string>,
  { listColumns, onWarning }: DumpOptions,
): AsyncGenerator<DumpRow> {
  const cursor = openCursor(text);
  const tables = new Map<string, readonly string[]>();
  try {
    while (await findStatement(cursor)) {
      if (await readDelimiter(cursor)) continue;
      const statement = { cursor, begin: cursor.line };
      // what is between DELIMITER and DELIMITER makes triggers and procedures
      if (cursor.delimiter === ';') yield* readStatement(statement, tables, listColumns);
      else await skipStatement(cursor, statement.begin);
    }
  } finally {
    await cursor.source.return?.();
  }
  if (cursor.isDump && !cursor.isCompleted)
    onWarning?.(`The dump does not say "Dump completed" at its end, line ${cursor.line}: it may be cut.`);
}
