import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { hostileString, hostileValue } from './hostile.ts';

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  pattern?: string;
}

/** Typical values by field name. */
const USUAL: Record<string, fc.Arbitrary<unknown>> = {
  price: fc.constantFrom('5', 12.5, '99999999.99', 0),
  minPrice: fc.constantFrom('', '1'),
  maxPrice: fc.constantFrom('', '50'),
  sort: fc.constantFrom('newest', 'price_asc', 'price_desc'),
  condition: fc.constantFrom('', 'new', 'new,good'),
  priceType: fc.constantFrom('fixed', 'negotiable'),
  hideSold: fc.constantFrom('true', 'false'),
  withPhotos: fc.constantFrom('true', ''),
  near: fc.constantFrom('', '2950159'),
  radius: fc.constantFrom('', '25'),
  placeId: fc.constant(null),
  category: fc.constantFrom('books', 'Electronics', 'HOME & GARDEN'),
  externalLink: fc.constantFrom('https://example.com/a', '', null),
  imageUrls: fc.constant([]),
  limit: fc.constantFrom('1', '24', '100'),
  cursor: fc.constantFrom('1', '20000'),
  email: fc.constant('a@example.com'),
  username: fc.constant('handle'),
};

const plainText = fc.constantFrom(
  'A kettle',
  'Boils water.',
  'books',
  'Electronics',
  '5',
  '12.50',
  'hello@example.com',
  'https://example.com/a',
);

export type KnownIds = readonly string[];

const sensible = (schema: JsonSchema, ids: KnownIds): fc.Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => sensible(option, ids)));
  if (schema.type === 'string') return schema.pattern?.startsWith('^[1-9]') ? fc.constantFrom(...ids) : plainText;
  if (schema.type === 'number' || schema.type === 'integer') return fc.integer({ min: 0, max: 40 });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'array') return fc.array(sensible(schema.items ?? {}, ids), { maxLength: 3 });
  if (schema.type === 'object') return objectOf(schema, ids);
  return plainText;
};

/** Most fields of an object are sensible: one hostile field at a time finds more than all at once. */
const fieldOf = (name: string, schema: JsonSchema, ids: KnownIds) => USUAL[name] ?? sensible(schema, ids);

const objectOf = ({ properties = {} }: JsonSchema, ids: KnownIds): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fieldOf(name, field, ids)])),
      ),
      fc.option(
        fc.tuple(fc.constantFrom(...Object.keys(properties), 'id', 'userId', 'role', '__proto__'), hostileValue),
        { freq: 2 },
      ),
      fc.option(fc.constantFrom('', ...Object.keys(properties)), { freq: 1 }),
    )
    .map(([fields, spoilt, dropped]) => {
      const all: Record<string, unknown> = { ...fields };
      if (spoilt) all[spoilt[0]] = spoilt[1];
      if (dropped) delete all[dropped];
      return all;
    });

const toJsonSchema = (schema: z.ZodMiniType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** Bodies for a schema, without hostile fields. */
export const usualBodyOf = (schema: z.ZodMiniType, ids: KnownIds): fc.Arbitrary<unknown> =>
  sensible(toJsonSchema(schema), ids);

/** Bodies for a schema, usually valid except for one field, and sometimes any JSON. */
export const bodyOf = (schema: z.ZodMiniType, ids: KnownIds): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: sensible(toJsonSchema(schema), ids) }, { weight: 1, arbitrary: hostileValue });

export const stringsOf = (schema: z.ZodMiniType | undefined, ids: KnownIds): fc.Arbitrary<Record<string, string>> => {
  const { properties = {} } = schema ? toJsonSchema(schema) : {};
  const field = (name: string) =>
    fc.oneof(
      { weight: 6, arbitrary: fieldOf(name, properties[name] ?? {}, ids).map(String) },
      { weight: 1, arbitrary: hostileString },
    );
  return fc.record(Object.fromEntries(Object.keys(properties).map((name) => [name, field(name)])));
};
