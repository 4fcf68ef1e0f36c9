// Reads the types of columns from tables.ts and rows.ts: a running program does not have them.
import { readFileSync } from 'node:fs';
import { parseSync, type TsType, type TsTypeElement } from '@swc/core';

const DATABASE = new URL('../../server/db/', import.meta.url);

/** The name of a type that is declared elsewhere. */
export const getName = (type: TsType): string =>
  type.type === 'TsTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.value : '';

const listProperties = (elements: readonly TsTypeElement[]): (readonly [string, TsType])[] =>
  elements.map((element) => {
    if (element.type !== 'TsPropertySignature' || element.key.type !== 'Identifier' || !element.typeAnnotation)
      throw new Error(`${element.type} is no column`);
    return [element.key.value, element.typeAnnotation.typeAnnotation];
  });

const listDeclarations = (file: string) =>
  parseSync(readFileSync(new URL(file, DATABASE), 'utf8'), { syntax: 'typescript' }).body.map((one) =>
    one.type === 'ExportDeclaration' ? one.declaration : one,
  );

const readInterfaces = (file: string) =>
  new Map(
    listDeclarations(file).flatMap((one) =>
      one.type === 'TsInterfaceDeclaration' ? [[one.id.value, one.body.body] as const] : [],
    ),
  );

const ROWS = readInterfaces('rows.ts');
const ALIASES = new Map(
  listDeclarations('rows.ts').flatMap((one) =>
    one.type === 'TsTypeAliasDeclaration' ? [[one.id.value, one.typeAnnotation] as const] : [],
  ),
);

const listColumns = (type: TsType): (readonly [string, TsType])[] => {
  if (type.type === 'TsIntersectionType') return type.types.flatMap(listColumns);
  return listProperties(type.type === 'TsTypeLiteral' ? type.members : ROWS.get(getName(type))!);
};

/** Each column, as `table.column`, with its type. */
export const readDeclaredColumns = (): (readonly [string, TsType])[] =>
  listProperties(readInterfaces('tables.ts').get('Tables')!).flatMap(([table, row]) =>
    listColumns(row).map(([column, type]) => [`${table}.${column}`, type] as const),
  );

/** The strings that a type lists; none for a type of the contract. */
export const listStrings = (type: TsType): string[] => {
  if (type.type === 'TsUnionType') return type.types.flatMap(listStrings);
  if (type.type === 'TsLiteralType') return type.literal.type === 'StringLiteral' ? [type.literal.value] : [];
  const alias = ALIASES.get(getName(type));
  return alias ? listStrings(alias) : [];
};
