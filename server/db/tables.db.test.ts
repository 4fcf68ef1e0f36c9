import type { TsType } from '@swc/core';
import { expect, test } from 'vitest';
import { openTestApp } from '../../test/harness/app.ts';
import { getName, readDeclaredColumns } from '../../test/harness/declared-columns.ts';
import { listOwnTables } from '../../test/harness/every-table.ts';

const { app } = await openTestApp();

/** What a column of each type may be in TypeScript. `named`: a list of values, or the shape of JSON. */
const TYPES: Record<string, readonly string[]> = {
  bigint: ['string'],
  boolean: ['boolean'],
  bytea: ['Buffer'],
  'character varying': ['string'],
  cube: ['string'],
  date: ['Date'],
  'double precision': ['number'],
  integer: ['number'],
  jsonb: ['unknown', 'named'],
  numeric: ['string'],
  smallint: ['number'],
  text: ['string', 'named'],
  'text[]': ['string[]', 'named[]'],
  'timestamp with time zone': ['string'],
  tsvector: ['string'],
  uuid: ['string'],
};

/** Each column, as `table.column`, with its type. */
type Columns = Map<string, string>;

const nameType = (type: TsType): string => {
  if (type.type === 'TsKeywordType') return type.kind;
  if (type.type === 'TsArrayType') return `${nameType(type.elemType)}[]`;
  return ['Buffer', 'Date'].find((name) => name === getName(type)) ?? 'named';
};

const describeType = (type: TsType): string => {
  if (type.type !== 'TsUnionType') return nameType(type);
  const names = type.types.map(nameType);
  const values = names.filter((name) => name !== 'null');
  return `${values.length === 1 ? values[0] : 'named'}${values.length < names.length ? ' | null' : ''}`;
};

const readDeclared = (): Columns =>
  new Map(readDeclaredColumns().map(([column, type]) => [column, describeType(type)]));

/** The migrated database. Of the types that a column may have, the declared one. */
const readMigrated = async (declared: Columns): Promise<Columns> => {
  const { rows } = await app.db.raw<{ rows: { name: string; type: string; or_null: string }[] }>(
    `select attrelid::regclass || '.' || attname as name, format_type(atttypid, null) as type,
       case when attnotnull then '' else ' | null' end as or_null
     from pg_attribute where attrelid = any(?::regclass[]) and attnum > 0 and not attisdropped`,
    [await listOwnTables(app)],
  );
  return new Map(
    rows.map(({ name, type, or_null }) => {
      const allowed = (TYPES[type] ?? [type]).map((one) => `${one}${or_null}`);
      return [name, allowed.find((one) => one === declared.get(name)) ?? allowed.join(' or ')];
    }),
  );
};

test('tables.ts has every column of the migrated database, with its name, type and nullability', async () => {
  const declared = readDeclared();
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(await readMigrated(declared)));
});
