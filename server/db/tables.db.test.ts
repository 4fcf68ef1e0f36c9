import { readFileSync } from 'node:fs';
import { parseSync, type TsInterfaceDeclaration, type TsType, type TsTypeElement } from '@swc/core';
import { expect, test } from 'vitest';
import { openTestApp } from '../../test/harness/app.ts';
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

const getName = (type: TsType): string =>
  type.type === 'TsTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.value : '';

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

const listProperties = (elements: readonly TsTypeElement[]): (readonly [string, TsType])[] =>
  elements.map((element) => {
    if (element.type !== 'TsPropertySignature' || element.key.type !== 'Identifier' || !element.typeAnnotation)
      throw new Error(`${element.type} is no column`);
    return [element.key.value, element.typeAnnotation.typeAnnotation];
  });

const readInterfaces = (file: string): Map<string, TsInterfaceDeclaration> => {
  const { body } = parseSync(readFileSync(new URL(file, import.meta.url), 'utf8'), { syntax: 'typescript' });
  const found = body.flatMap((one) => {
    const inner = one.type === 'ExportDeclaration' ? one.declaration : one;
    return inner.type === 'TsInterfaceDeclaration' ? [[inner.id.value, inner] as const] : [];
  });
  return new Map(found);
};

const ROWS = readInterfaces('rows.ts');

const listColumns = (type: TsType): (readonly [string, TsType])[] => {
  if (type.type === 'TsIntersectionType') return type.types.flatMap(listColumns);
  return listProperties(type.type === 'TsTypeLiteral' ? type.members : ROWS.get(getName(type))!.body.body);
};

const readDeclared = (): Columns => {
  const tables = listProperties(readInterfaces('tables.ts').get('Tables')!.body.body);
  return new Map(
    tables.flatMap(([table, row]) =>
      listColumns(row).map(([column, type]) => [`${table}.${column}`, describeType(type)] as const),
    ),
  );
};

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
