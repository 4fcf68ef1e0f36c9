import * as z from 'zod/mini';
import { maxAmount } from '../../../contract/amount-rules.ts';
import { ContactEmail } from '../../../contract/contact.ts';
import { EmailAddress } from '../../../contract/email.ts';
import { ErrorReply } from '../../../contract/errors.ts';
import { namedSchemas } from '../../../contract/index.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { getMoney } from '../../../contract/money.ts';
import { PushAddress } from '../../../contract/push.ts';
import { Amount, ExternalLink, Price, PriceBound, Timestamp } from '../../../contract/scalars.ts';

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>;

const COMPONENTS = '#/components/schemas/';
const REFERENCE = /#\/components\/schemas\/(\w+)/g;

/** Amounts in the currency of the marketplace. `before`: what its text begins with, in a regular expression. */
const describeAmount = (before = '', least = 0) => {
  const { decimals, digits } = getMoney().currency;
  const text = `${before}\\d{1,${digits}}${decimals > 0 ? `(\\.\\d{1,${decimals}})?` : ''}`;
  const unit = Number(`1e-${decimals}`);
  return {
    anyOf: [
      { type: 'string', pattern: `^${text}$` },
      { type: 'number', minimum: least * unit, maximum: Number(maxAmount()), multipleOf: unit },
    ],
  };
};

/** By schema. The currency is known when the document is made. */
const AMOUNTS = new Map<z.ZodMiniType, () => JsonSchema>([
  [Price, () => describeAmount()],
  [Amount, () => describeAmount('(?=.*[1-9])', 1)],
  [PriceBound, () => ({ type: 'string', pattern: `${describeAmount().anyOf[0]!.pattern}|^$` })],
]);

/** Narrower than what a URL parser accepts. */
const HTTPS_ADDRESS = '^https://([a-z0-9]+(-[a-z0-9]+)*\\.)+[a-z]{2,}([/?#][!-\\[\\]-~]*)?$';

/** Schemas whose checks are functions, which JSON Schema cannot show. */
const DESCRIBED = new Map<z.ZodMiniType, JsonSchema>([
  [EmailAddress, { type: 'string', format: 'email', maxLength: LIMITS.emailAddress }],
  [ContactEmail, { type: 'string', format: 'email', maxLength: LIMITS.contactEmail }],
  [PushAddress, { type: 'string', pattern: HTTPS_ADDRESS, maxLength: LIMITS.pushEndpoint }],
  [
    ExternalLink,
    {
      anyOf: [
        { type: 'string', pattern: HTTPS_ADDRESS, maxLength: LIMITS.externalLink },
        { type: 'string', const: '' },
        { type: 'null' },
      ],
    },
  ],
  [Timestamp, { type: 'string', format: 'date-time' }],
]);

interface Definition {
  type: string;
  in: z.ZodMiniType;
  out: z.ZodMiniType;
  checks?: { _zod: { def: { params?: { json?: JsonSchema } } } }[];
}

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def as unknown as Definition;

const acceptsNull = ({ type, anyOf }: JsonSchema): boolean =>
  [type].flat().includes('null') || (Array.isArray(anyOf) && anyOf.some(acceptsNull));

/**
 * A value that is trimmed or cleaned before its checks: described as those checks, which accept every clean value. They
 * also accept less tidy ones.
 */
function describeCleaned({ in: given, out }: Definition): JsonSchema {
  const before = toInputSchema(given);
  const { type: _, ...limits } = before;
  const after = toInputSchema(out);
  if (acceptsNull(before) && !acceptsNull(after)) return { anyOf: [after, { type: 'null' }] };
  if (Object.keys(limits).some((keyword) => keyword in after)) return { allOf: [before, after] };
  return { ...limits, ...after };
}

/** A required text: allowed characters, and one that is visible. Not every validator knows classes such as `\p{L}`. */
function joinPatterns(jsonSchema: JsonSchema, [allowed, visible]: JsonSchema[]): void {
  const [, excluded] = /^\^\[\^(.*)\]\*\$$/.exec(String(allowed?.pattern)) ?? [];
  if (excluded === undefined || !String(visible?.pattern).includes('\\p{')) return;
  delete jsonSchema.allOf;
  jsonSchema.pattern = `^[^${excluded}]*[^\\s${excluded}][^${excluded}]*$`;
}

function describe({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const definition = definitionOf(zodSchema);
  const isCleaned = definition.type === 'pipe' && definitionOf(definition.out).type !== 'transform';
  const schema = zodSchema as unknown as z.ZodMiniType;
  const better = AMOUNTS.get(schema)?.() ?? DESCRIBED.get(schema) ?? (isCleaned && describeCleaned(definition));
  if (better) {
    for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
    Object.assign(jsonSchema, better);
  }
  if (Array.isArray(jsonSchema.allOf)) joinPatterns(jsonSchema, jsonSchema.allOf);
  // a check that is a function may carry the keywords that say the same
  for (const check of definition.checks ?? []) Object.assign(jsonSchema, check._zod.def.params?.json);
}

const withoutMeta = ({ $schema: _schema, $id: _id, ...json }: JsonSchema): JsonSchema => json;

/** What an endpoint accepts: everything that this schema accepts, and texts that are less tidy. */
export const toInputSchema = (schema: z.ZodMiniType): JsonSchema =>
  withoutMeta(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: describe }));

/** What endpoints respond with. `components` has the schemas that several replies contain, by their name in the contract. */
export function toReplySchemas(replies: ReadonlyMap<string, z.ZodMiniType>): {
  of: (endpoint: string) => JsonSchema;
  components: Record<string, JsonSchema>;
} {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of [...namedSchemas, ['Error', ErrorReply] as const]) registry.add(schema, { id: name });
  const names = new Map<string, string>();
  for (const [endpoint, schema] of replies) {
    const id = registry.get(schema)?.id ?? `reply of ${endpoint}`;
    if (!registry.has(schema)) registry.add(schema, { id });
    names.set(endpoint, id);
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    unrepresentable: 'any',
    override: describe,
    uri: (id) => COMPONENTS + id,
  });
  const all = new Map(Object.entries(schemas).map(([id, json]) => [id, withoutMeta(json as JsonSchema)]));
  const components: Record<string, JsonSchema> = {};
  const collect = (json: JsonSchema | undefined): void => {
    for (const [, name = ''] of JSON.stringify(json).matchAll(REFERENCE)) {
      const component = all.get(name);
      if (!component || name in components) continue;
      components[name] = component;
      collect(component);
    }
  };
  const of = (endpoint: string): JsonSchema => {
    const id = names.get(endpoint) ?? '';
    return namedSchemas.has(id) ? { $ref: COMPONENTS + id } : (all.get(id) ?? {});
  };
  for (const endpoint of replies.keys()) collect(of(endpoint));
  collect({ $ref: `${COMPONENTS}Error` });
  return { of, components };
}
