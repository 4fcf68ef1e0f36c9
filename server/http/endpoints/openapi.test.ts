import { expect, test } from 'vitest';
import { endpoints } from '../../../contract/index.ts';
import { SCOPES } from '../../../contract/scope-words.ts';
import { SCOPE_NAMES } from '../../../contract/scopes.ts';
import { WEBHOOK_EVENTS } from '../../../contract/webhooks.ts';
import { buildOpenApi } from './openapi.ts';

const document = buildOpenApi({ siteName: 'Tradepost', publicUrl: 'https://market.example' });

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: { pattern?: string } }[];
  requestBody?: { content: object };
  responses: Record<string, unknown>;
  security: object[];
}

const operationOf = (path: string, method: string) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation;

test('every endpoint is described under its name, with its parameters, body and answers', () => {
  for (const { name, spec } of endpoints) {
    const operation = operationOf(spec.path, spec.method);
    expect(operation.operationId).toBe(name);
    const inPath = [...spec.path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter).sort();
    const described = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect([name, described.map((parameter) => parameter.name).sort()]).toEqual([name, inPath]);
    expect(described.every(({ required }) => required)).toBe(true);
    expect([name, operation.requestBody !== undefined]).toEqual([name, (spec.body ?? spec.bodyTypes) !== undefined]);
    expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
  }
});

test('the document is plain JSON and names every error', () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  expect(document.components.schemas.Error).toMatchObject({ required: ['message', 'code', 'requestId'] });
});

test('schemas that replies share have one place, and each reference leads to one', () => {
  const names = Object.keys(document.components.schemas);
  expect(names).toEqual(expect.arrayContaining(['Ad', 'User', 'Message', 'Me']));
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(100);
  for (const [, name = ''] of references) expect(names).toContain(name);
});

test('inputs that are cleaned or checked by a function are described by what they accept', () => {
  const bodyOf = (path: string, method: string) =>
    Object.values(operationOf(path, method).requestBody?.content ?? {})[0].schema;
  const { title, price, placeId, location } = bodyOf('/api/ads', 'POST').properties;
  expect(title).toMatchObject({ type: 'string', maxLength: 100, pattern: expect.stringContaining('[^\\s') });
  expect(price.anyOf.map(({ type }: { type: string }) => type)).toEqual(['string', 'number']);
  for (const nullable of [placeId, location]) expect(nullable.anyOf).toContainEqual({ type: 'null' });
  expect(bodyOf('/api/users/me/email', 'PUT').properties.email).toMatchObject({ format: 'email' });
  expect(bodyOf('/api/deals/:id/rating', 'POST').properties.tags).toMatchObject({ uniqueItems: true });
  const limit = operationOf('/api/ads', 'GET').parameters.find(({ name }) => name === 'limit');
  expect(limit?.schema.pattern).toBe('^([1-9]\\d?|100)$');
  // not every validator knows classes of characters
  expect(JSON.stringify(document)).not.toContain('p{');
});

test('a write names the refusal of foreign pages, an idempotent one those of keys, a session both of its cookies', () => {
  const { responses, security } = operationOf('/api/messages', 'POST');
  const said = (status: number) => (responses[status] as { description: string }).description;
  expect([said(403), said(422)]).toEqual([expect.stringContaining('csrf_rejected'), 'idempotency_key_reused']);
  expect(security).toEqual([{ session: [], signature: [] }, { token: ['messages:write'] }]);
  const { session, signature, token } = document.components.securitySchemes;
  expect([session.name, signature.name, token.scheme]).toEqual(['connect.sid', 'connect.sid.sig', 'bearer']);
});

test('each operation says what a token needs for it, and whether one will do at all', () => {
  const securityOf = (path: string, method: string) => operationOf(path, method).security;
  const session = { session: [], signature: [] };
  expect(securityOf('/api/ads', 'GET')).toEqual([{}, session, { token: ['ads:read'] }]);
  expect(securityOf('/api/tokens', 'POST')).toEqual([session]);
  expect(securityOf('/api/categories', 'GET')).toEqual([]);
  const used = endpoints.flatMap(({ spec }) =>
    securityOf(spec.path, spec.method).flatMap((need) => (need as { token?: string[] }).token ?? []),
  );
  expect(new Set(used)).toEqual(new Set(SCOPE_NAMES));
  for (const scope of SCOPE_NAMES) expect(document.info.description).toContain(`- \`${scope}\`: ${SCOPES[scope]}`);
});

test('each event of webhooks has its message, with the headers that sign it', () => {
  const { webhooks, paths } = document as unknown as {
    webhooks: Record<string, { post: Operation & { requestBody: { content: Record<string, { schema: object }> } } }>;
    paths: Record<string, Record<string, Operation>>;
  };
  expect(Object.keys(webhooks)).toEqual([...WEBHOOK_EVENTS, 'webhook.test']);
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { schema } = post.requestBody.content['application/json']!;
    expect([type, schema]).toEqual([
      type,
      expect.objectContaining({ properties: expect.objectContaining({ type: { const: type } }) }),
    ]);
    expect(post.parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  }
  const { schema } = webhooks['ad.ended']!.post.requestBody.content['application/json']!;
  expect(schema).toMatchObject({
    required: ['type', 'timestamp', 'data'],
    properties: { data: { properties: { reason: { enum: expect.arrayContaining(['expired']) } } } },
  });
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.values(item));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});
