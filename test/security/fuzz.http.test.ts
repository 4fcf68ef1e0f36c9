import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { EndpointSpec } from '../../contract/endpoint.ts';
import { ERROR_STATUS, ErrorReply } from '../../contract/errors.ts';
import { endpoints } from '../../contract/index.ts';
import type { Scope } from '../../contract/scopes.ts';
import { mayCallSuspended } from '../../server/policy.ts';
import { openTestApp } from '../harness/app.ts';
import { type Client, createClient } from '../harness/client.ts';
import { insertCategories, insertPlaces, PLACES } from '../harness/factories.ts';
import { openSession, openToken } from '../harness/sessions.ts';
import { WEBHOOK_ENV } from '../harness/webhooks.ts';
import { bodyOf, stringsOf } from './arbitrary-of.ts';
import { hostileString } from './hostile.ts';
import { createWorld, type World } from './world.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1500);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const WORLD_LASTS = 60;
const CALLERS = [
  'anonymous',
  'user',
  'owner',
  'counterpart',
  'admin',
  'program',
  'staff program',
  'narrow program',
] as const;
// Endpoints that sign out, ban or delete. Later calls would not find the user or the ad.
const ENDS_SOMEBODY = new Set([
  'logout',
  'deleteMe',
  'deleteUser',
  'banUser',
  'deleteAd',
  'deleteAdAsAdmin',
  'decideCase',
]);
const IDS = [
  'ad',
  'hidden',
  'message',
  'offer',
  'owner',
  'counterpart',
  'victim',
  'case',
  'decision',
  PLACES.berlin.id,
];
const ANY_CALL = [
  'malformed_json',
  'validation_failed',
  'not_found',
  'csrf_rejected',
  'payload_too_large',
  'uri_too_long',
  'account_changed',
  'unsupported_media_type',
  'invalid_idempotency_key',
  'idempotency_key_reused',
];

const { app, url } = await openTestApp({ env: WEBHOOK_ENV });
let world: World;
let clients: Record<(typeof CALLERS)[number], Client>;

async function renewWorld() {
  world = await createWorld(app);
  const enter = async (id: string) => createClient(url, { Cookie: await openSession(app, id) });
  const { user, owner, counterpart, admin } = world.people;
  const program = async (id: string, scopes?: Scope[]) => {
    const client = createClient(url, { Authorization: await openToken(app, id, scopes) });
    // what a foreign page might add changes nothing
    return Object.assign(client, { headers: { ...client.headers, 'Sec-Fetch-Site': 'cross-site' } });
  };
  clients = {
    anonymous: createClient(url),
    user: await enter(user.id),
    owner: await enter(owner.id),
    counterpart: await enter(counterpart.id),
    admin: await enter(admin.id),
    program: await program(owner.id),
    'staff program': await program(admin.id),
    'narrow program': await program(owner.id, ['ads:read', 'offers:write']),
  };
}

beforeAll(async () => {
  await insertCategories(app);
  await insertPlaces(app);
  await renewWorld();
});

interface Shot {
  name: string;
  spec: EndpointSpec;
  caller: (typeof CALLERS)[number];
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  headers: Record<string, string>;
}

const header = hostileString.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')).map((text) => text.trim());
const headers = fc.option(
  fc.oneof(
    fc.record({ 'Idempotency-Key': fc.oneof(header, fc.constantFrom('a-key-0001', 'a-key-0002')) }),
    fc.record({ 'X-Test-User': header }),
    fc.record({ 'X-Forwarded-For': header, 'X-Forwarded-Host': header }),
    fc.record({ 'If-None-Match': header, Range: header }),
    fc.record({ 'Content-Type': fc.constantFrom('text/plain', 'application/json; charset=utf-16') }),
    fc.record({ 'Content-Encoding': fc.constantFrom('gzip', 'br', 'x') }),
    fc.record({ 'Accept-Encoding': header }),
    fc.record({ 'User-Agent': header }),
  ),
  { nil: {}, freq: 3 },
);

const shot: fc.Arbitrary<Shot> = fc.constantFrom(...endpoints).chain(({ name, spec }) =>
  fc.record({
    name: fc.constant(name),
    spec: fc.constant(spec as EndpointSpec),
    caller: fc.constantFrom(...CALLERS),
    params: stringsOf(spec.params, IDS),
    query: stringsOf(spec.query, IDS),
    body: spec.body ? bodyOf(spec.body, IDS) : fc.constant(undefined),
    headers: headers as fc.Arbitrary<Record<string, string>>,
  }),
);

/** Replaces the words of IDS with ids of the current world. */
function fillIn<T>(value: T): T {
  const { people, ad, hiddenAd, messageId, offerId, caseId, decisionId } = world;
  const ids: Record<string, string> = {
    ad: ad.id,
    hidden: hiddenAd.id,
    message: messageId,
    offer: offerId,
    case: caseId,
    decision: decisionId,
    owner: people.owner.id,
    counterpart: people.counterpart.id,
    victim: people.victim.id,
    handle: people.owner.username ?? '',
  };
  if (typeof value === 'string') return (Object.hasOwn(ids, value) ? ids[value] : value) as T;
  if (Array.isArray(value)) return value.map(fillIn) as T;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillIn(inner)])) as T;
  return value;
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed()).replace(/^\.{1,2}$/, '%2e');

function addressOf({ spec, params, query }: Pick<Shot, 'spec' | 'params' | 'query'>): string {
  const path = spec.path.replace(/:(\w+)/g, (_, name: string) => encode(params[name] ?? '') || '%20');
  const search = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`);
  return search.length > 0 ? `${path}?${search.join('&')}` : path;
}

const statuses = new Map<number, number>();

async function fire({ spec, caller, ...raw }: Shot): Promise<void> {
  const { params, query, body, headers } = {
    ...raw,
    ...fillIn({ params: raw.params, query: raw.query, body: raw.body }),
  };
  const answer = await clients[caller].send(addressOf({ spec, params, query }), { method: spec.method, body, headers });
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  // In tests, the server parses every successful response with the contract and responds with 500 if it does not match.
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const isProgram = caller.endsWith('program');
  // no program makes a token, bans, or does what else is for people alone
  if (isProgram && spec.scope === 'session' && !spec.oneClick) expect(answer.status).toBeGreaterThanOrEqual(400);
  if (answer.status < 400) return;
  const error = ErrorReply.parse(answer.body);
  const denied =
    spec.access === 'public' ? [] : spec.access === 'user' ? ['unauthenticated'] : ['unauthenticated', 'forbidden'];
  const narrow = isProgram && spec.scope !== 'public' ? ['insufficient_scope'] : [];
  const suspended = mayCallSuspended(spec) && !isProgram ? [] : ['account_suspended'];
  expect([...ANY_CALL, ...denied, ...narrow, ...suspended, ...(spec.errors ?? [])]).toContain(error.code);
  expect(ERROR_STATUS[error.code as keyof typeof ERROR_STATUS]).toBe(answer.status);
}

test(`${REQUESTS} requests made from the contract: no failure, every answer as declared (seed ${SEED})`, {
  timeout: 0,
}, async () => {
  let fired = 0;
  await fc.assert(
    fc.asyncProperty(shot, async (request) => {
      if (++fired % WORLD_LASTS === 0) await renewWorld();
      await fire(request);
      if (ENDS_SOMEBODY.has(request.name)) await renewWorld();
    }),
    { numRuns: REQUESTS, seed: SEED, endOnFailure: true },
  );
  console.log(
    `fuzz: ${fired} requests, seed ${SEED}: ${[...statuses]
      .sort()
      .map(([s, n]) => `${s}: ${n}`)
      .join(', ')}`,
  );
  const succeeded = [...statuses].filter(([status]) => status < 300).reduce((sum, [, n]) => sum + n, 0);
  // The bodies must be hostile enough to be refused and valid enough to be accepted sometimes.
  expect(succeeded).toBeGreaterThan(REQUESTS / 5);
  expect(fired - succeeded).toBeGreaterThan(REQUESTS / 5);
});
