import type * as z from 'zod/mini';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import { COMMON_ERRORS, ERROR_STATUS, type ErrorCode } from '../../../contract/errors.ts';
import { endpoints } from '../../../contract/index.ts';
import { SCOPES } from '../../../contract/scope-words.ts';
import { EVENT_WORDS } from '../../../contract/webhook-words.ts';
import { WEBHOOK_EVENTS, WEBHOOK_SUBJECTS } from '../../../contract/webhooks.ts';
import type { Config } from '../../config/load.ts';
import { SESSION_COOKIE } from '../request/request-info.ts';
import { type JsonSchema, toInputSchema, toReplySchemas } from './openapi-schemas.ts';
import { getSuccessStatus } from './output.ts';

const BODY_ERRORS: readonly ErrorCode[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type'];
const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = [
  'invalid_idempotency_key',
  'idempotency_in_progress',
  'idempotency_key_reused',
];

interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
}

const parametersIn = (place: 'path' | 'query', schema: z.ZodMiniType | undefined) => {
  if (!schema) return [];
  const { properties = {}, required = [], additionalProperties } = toInputSchema(schema) as ObjectSchema;
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

type SchemaOf = (reply: string) => JsonSchema;

const eventName = (endpoint: string, event: string): string => `${endpoint} ${event}`;
const messageName = (type: string): string => `webhook ${type}`;

/** The schemas of all replies, events and messages of webhooks, by their name. */
function listReplies(): Map<string, z.ZodMiniType> {
  const replies = new Map<string, z.ZodMiniType>();
  for (const { name, spec } of endpoints) {
    if (spec.reply) replies.set(name, spec.reply);
    for (const [event, schema] of Object.entries(spec.events ?? {})) replies.set(eventName(name, event), schema);
  }
  for (const type of WEBHOOK_EVENTS) replies.set(messageName(type), WEBHOOK_SUBJECTS[type]);
  return replies;
}

const text = (description: string) => ({ description, schema: { type: 'string' } });
const count = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

const PAGE_HEADERS = {
  Link: text('The address of the next page: `<…>; rel="next"`. Absent on the last page'),
  'X-Total-Count': count('How many there are, on first pages that count them'),
  'X-Total-Count-Exact': text('`false` if there are more'),
};
const RETRY_AFTER = { 'Retry-After': count('Seconds to wait') };
const REPLAYED = { 'Idempotent-Replayed': text('`true` if an earlier request with this key was carried out') };

const describeHeaders = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([header, meaning]) => [header, text(meaning)]));

/** OpenAPI 3.1 cannot describe the events of a stream: their schemas are in an extension, by name. */
function successOf(name: string, spec: EndpointSpec, schemaOf: SchemaOf) {
  const { reply, replyTypes, events, paged, idempotent, headers: own } = spec;
  if (events) {
    const schemas = Object.keys(events).map((event) => [event, schemaOf(eventName(name, event))]);
    const content = { 'text/event-stream': { schema: { type: 'string' }, 'x-events': Object.fromEntries(schemas) } };
    return { description: 'A stream of Server-Sent Events', content };
  }
  if (replyTypes) {
    const file = { schema: { type: 'string', format: 'binary' } };
    return { description: 'The file', content: Object.fromEntries(replyTypes.map((type) => [type, file])) };
  }
  if (!reply) return { description: 'Done' };
  const headers = { ...(paged && PAGE_HEADERS), ...(idempotent && REPLAYED), ...describeHeaders(own) };
  return {
    description: 'The reply',
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { 'application/json': { schema: schemaOf(name) } },
  };
}

function listErrors(spec: EndpointSpec): ErrorCode[] {
  const { access, scope, method, body, bodyTypes, idempotent, oneClick, errors = [] } = spec;
  return [
    ...COMMON_ERRORS,
    ...(access === 'public' ? [] : (['unauthenticated'] as const)),
    ...(access === 'moderator' || access === 'admin' ? (['forbidden'] as const) : []),
    ...(oneClick ? [] : (['invalid_token', 'account_suspended'] as const)),
    ...(oneClick || scope === 'public' ? [] : (['insufficient_scope'] as const)),
    ...(method === 'GET' || oneClick ? [] : (['csrf_rejected'] as const)),
    ...(oneClick ? [] : (['account_changed'] as const)),
    ...(body || bodyTypes ? BODY_ERRORS : []),
    ...(idempotent ? IDEMPOTENCY_ERRORS : []),
    ...errors,
  ];
}

function responsesOf(name: string, spec: EndpointSpec, schemaOf: SchemaOf) {
  const success = successOf(name, spec, schemaOf);
  const responses: Record<string, unknown> = { [getSuccessStatus(spec)]: success };
  if (spec.otherStatus) responses[spec.otherStatus] = success;
  if (spec.shared || spec.replyTypes) responses['304'] = { description: 'Unchanged: `If-None-Match` has its `ETag`' };
  for (const [status, codes] of Map.groupBy(new Set(listErrors(spec)), (code) => ERROR_STATUS[code]))
    responses[status] = {
      description: codes.join(', '),
      ...((status === 429 || status === 503) && { headers: RETRY_AFTER }),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  return responses;
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeating a request with the same key and body gets the first response and changes nothing. An empty one counts as none',
  schema: { type: 'string', pattern: '^([A-Za-z0-9_.:\\-]{8,200}|"[A-Za-z0-9_.:\\-]{8,200}"|)$' },
};

const USER_ID = {
  name: 'X-User-Id',
  in: 'header',
  required: false,
  description:
    'The id of the user for whom the request is, empty for none. Another session is refused: account_changed',
  schema: { type: 'string' },
};

function bodyOf({ body, bodyTypes, oneClick }: EndpointSpec) {
  if (bodyTypes) {
    const file = { schema: { type: 'string', format: 'binary' } };
    return { required: true, content: Object.fromEntries(bodyTypes.map((type) => [type, file])) };
  }
  if (!body) return undefined;
  const type = oneClick ? 'application/x-www-form-urlencoded' : 'application/json';
  return { required: !body.safeParse(undefined).success, content: { [type]: { schema: toInputSchema(body) } } };
}

/** Each entry suffices: the cookies of a session, an access token with the scope, or (`{}`) nothing. */
const listSecurity = ({ access, scope }: EndpointSpec): object[] => {
  const session = { session: [], signature: [] };
  if (scope === 'session' || scope === 'public') return access === 'public' ? [] : [session];
  return [...(access === 'public' ? [{}] : []), session, { token: [scope] }];
};

function operationOf(area: string, name: string, spec: EndpointSpec, schemaOf: SchemaOf) {
  const body = bodyOf(spec);
  return {
    operationId: name,
    summary: spec.summary,
    tags: [area],
    parameters: [
      ...parametersIn('path', spec.params),
      ...parametersIn('query', spec.query),
      ...(spec.idempotent ? [IDEMPOTENCY_KEY] : []),
      ...(spec.oneClick ? [] : [USER_ID]),
    ],
    ...(body && { requestBody: body }),
    responses: responsesOf(name, spec, schemaOf),
    security: listSecurity(spec),
  };
}

const requiredHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Of Standard Webhooks 1.0. */
const SIGNATURE_HEADERS = [
  requiredHeader('webhook-id', 'The same in each attempt'),
  requiredHeader('webhook-timestamp', 'Seconds since 1970, when this attempt began'),
  requiredHeader(
    'webhook-signature',
    '`v1,` and a signature; two of them, separated by a space, while the secret is changed',
  ),
];

const RECEIPTS = {
  '2XX': { description: 'Received' },
  410: { description: 'The webhook is switched off' },
  default: { description: 'Not received: it is sent again later' },
};

const TEST_DATA = { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] };

const toOperationId = (type: string): string => `on.${type}`.replace(/\.(\w)/g, (_, letter) => letter.toUpperCase());

/** What webhooks with the format `standard` send. */
function describeMessages(schemaOf: SchemaOf) {
  const describeMessage = (type: string, summary: string, data: JsonSchema) => {
    const properties = { type: { const: type }, timestamp: { type: 'string', format: 'date-time' }, data };
    const schema = { type: 'object', properties, required: Object.keys(properties) };
    const operation = {
      operationId: toOperationId(type),
      summary,
      tags: ['webhooks'],
      parameters: SIGNATURE_HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: RECEIPTS,
      security: [],
    };
    return [type, { post: operation }] as const;
  };
  return Object.fromEntries([
    ...WEBHOOK_EVENTS.map((type) => describeMessage(type, EVENT_WORDS[type], schemaOf(messageName(type)))),
    describeMessage('webhook.test', 'Somebody pressed "Send a test": nothing happened', TEST_DATA),
  ]);
}

const DESCRIPTION = `
A program sends an access token, \`Authorization: Bearer tp_pat_…\`, which its owner made in Preferences. \`security\` of an operation
names the scope that the token needs; without \`token\` there, none will do. The scopes:

${Object.entries(SCOPES)
  .map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)
  .join('\n')}

A browser signs in at \`/api/auth/twitter\`; the API then reads the two cookies of the session.
A request that changes something and carries cookies must come from this site: it has the header
\`Sec-Fetch-Site: same-origin\`, or an \`Origin\` that is this server's address.

Every error has the same JSON, \`Error\`; \`code\` says what happened, \`fields\` which fields are at fault. A method that a
path does not have gets 405 \`method_not_allowed\`, another host name than this server's 421 \`misdirected_request\`.
`.trim();

export function buildOpenApi({ siteName, publicUrl }: Pick<Config, 'siteName' | 'publicUrl'>) {
  const { of: schemaOf, components } = toReplySchemas(listReplies());
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { area, name, spec } of endpoints) {
    const path = spec.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operationOf(area, name, spec, schemaOf) };
  }
  return {
    openapi: '3.1.0',
    info: { title: `${siteName} API`, version: '1', description: DESCRIPTION },
    servers: [{ url: publicUrl }],
    paths,
    webhooks: describeMessages(schemaOf),
    components: {
      schemas: components,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        signature: { type: 'apiKey', in: 'cookie', name: `${SESSION_COOKIE}.sig` },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}
