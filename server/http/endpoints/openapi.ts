import * as z from 'zod/mini';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import { ERROR_STATUS, ErrorReply } from '../../../contract/errors.ts';
import { endpoints } from '../../../contract/index.ts';
import type { Config } from '../../config/load.ts';
import { mayCallSuspended } from '../../policy.ts';
import { getSuccessStatus } from './output.ts';

const COMMON_ERRORS = [
  'validation_failed',
  'not_found',
  'rate_limited',
  'internal_error',
  'database_unavailable',
] as const;

const toSchema = (schema: z.ZodMiniType, io: 'input' | 'output') => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
  return json;
};

interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
}

const parametersIn = (place: 'path' | 'query', schema: z.ZodMiniType | undefined) => {
  if (!schema) return [];
  const { properties = {}, required = [], additionalProperties } = toSchema(schema, 'input') as ObjectSchema;
  const named = Object.entries(properties).map(([name, json]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: json,
  }));
  return place === 'query' && typeof additionalProperties === 'object' ? [...named, DETAIL_PARAMETERS] : named;
};

/** A list is filtered by the details of its category: `d.size=M`, `d.year.min=2015`. */
const DETAIL_PARAMETERS = {
  name: 'details',
  in: 'query',
  required: false,
  description: 'Filters by details of the category: d.{key}, d.{key}.min and d.{key}.max',
  style: 'form',
  explode: true,
  schema: { type: 'object', patternProperties: { '^d\\.[a-zA-Z]+(\\.(min|max))?$': { type: 'string' } } },
};

/** OpenAPI 3.1 cannot describe the events of a stream: their schemas are in an extension, by name. */
function successOf({ reply, events }: EndpointSpec) {
  if (events) {
    const schemas = Object.entries(events).map(([name, schema]) => [name, toSchema(schema, 'output')]);
    const content = { 'text/event-stream': { schema: { type: 'string' }, 'x-events': Object.fromEntries(schemas) } };
    return { description: 'A stream of Server-Sent Events', content };
  }
  if (!reply) return { description: 'Done' };
  return { description: 'The reply', content: { 'application/json': { schema: toSchema(reply, 'output') } } };
}

function responsesOf(spec: EndpointSpec) {
  const responses: Record<string, unknown> = { [getSuccessStatus(spec)]: successOf(spec) };
  if (spec.otherStatus) responses[spec.otherStatus] = successOf(spec);
  const denied =
    spec.access === 'public' ? [] : spec.access === 'user' ? ['unauthenticated'] : ['unauthenticated', 'forbidden'];
  const codes = [
    ...COMMON_ERRORS,
    ...denied,
    ...(mayCallSuspended(spec) ? [] : ['account_suspended']),
    ...(spec.body ? ['malformed_json', 'payload_too_large', 'unsupported_media_type'] : []),
    ...(spec.errors ?? []),
  ];
  for (const code of codes as (keyof typeof ERROR_STATUS)[]) {
    const status = String(ERROR_STATUS[code]);
    const before = responses[status] as { description: string } | undefined;
    responses[status] = {
      description: before ? `${before.description}, ${code}` : code,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return responses;
}

function operationOf(area: string, name: string, spec: EndpointSpec) {
  const body = spec.body && {
    required: !spec.body.safeParse(undefined).success,
    content: {
      [spec.oneClick ? 'application/x-www-form-urlencoded' : 'application/json']: {
        schema: toSchema(spec.body, 'input'),
      },
    },
  };
  const idempotencyKey = { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } };
  return {
    operationId: name,
    summary: spec.summary,
    tags: [area],
    parameters: [
      ...parametersIn('path', spec.params),
      ...parametersIn('query', spec.query),
      ...(spec.idempotent ? [idempotencyKey] : []),
    ],
    ...(body && { requestBody: body }),
    responses: responsesOf(spec),
    security: spec.access === 'public' ? [] : [{ session: [] }],
  };
}

export function buildOpenApi({ siteName, publicUrl }: Pick<Config, 'siteName' | 'publicUrl'>) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { area, name, spec } of endpoints) {
    const path = spec.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operationOf(area, name, spec) };
  }
  return {
    openapi: '3.1.0',
    info: { title: `${siteName} API`, version: '1' },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Error: toSchema(ErrorReply, 'output') },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'connect.sid' } },
    },
  };
}
