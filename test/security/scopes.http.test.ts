import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/index.ts';
import { isStaffScope, SCOPE_NAMES, type Scope } from '../../contract/scopes.ts';
import { getSuccessStatus } from '../../server/http/endpoints/output.ts';
import { openTestApp } from '../harness/app.ts';
import { type Client, createClient } from '../harness/client.ts';
import { insertCategories, insertPlaces } from '../harness/factories.ts';
import { openToken } from '../harness/sessions.ts';
import { RULES, type Rule } from './authorization-table.ts';
import { toScopeTable } from './scope-table.ts';
import { createWorld, fingerprint, type World } from './world.ts';

const { app, url } = await openTestApp();
beforeAll(async () => {
  await insertCategories(app);
  await insertPlaces(app);
});

const PEOPLE = ['owner', 'counterpart', 'user', 'admin'] as const;
type PersonName = (typeof PEOPLE)[number];

interface Case {
  rule: Rule;
  person: PersonName;
  /** What the call ends with if the token is good for it. */
  status: number;
}

/** Who calls this endpoint with success, or else the owner, who is refused for another reason than a scope. */
function chooseCase(name: string, status: number): Case {
  const rules = RULES[name] ?? [];
  for (const rule of rules)
    for (const person of PEOPLE) if (rule.expected[person] === 'ok') return { rule, person, status };
  return { rule: rules[0]!, person: 'owner', status: Number(rules[0]!.expected.owner) };
}

async function enter(world: World, person: PersonName, scopes: Scope[]) {
  const client = createClient(url);
  client.headers = { Authorization: await openToken(app, world.people[person].id, scopes) };
  return client;
}

/** The world of the call before, unless that call may have changed it. */
let unchanged: World | undefined;

// One click out of a mail reads no credential, so it asks for no scope.
const called = endpoints.filter(({ spec }) => !spec.oneClick);

describe.each(called)('$name', ({ name, spec }) => {
  const { rule, person, status } = chooseCase(name, getSuccessStatus(spec));
  const send = (client: Client, world: World, actor: PersonName) => {
    const { body, ...target } = rule.target?.(world, actor) ?? {};
    return client.call(spec, { ...target, body } as never);
  };

  test('a token with every scope but the right one is refused, and changes nothing', async () => {
    const world = unchanged ?? (await createWorld(app));
    unchanged = world;
    const client = await enter(
      world,
      person,
      SCOPE_NAMES.filter((scope) => scope !== spec.scope),
    );
    const before = spec.method === 'GET' ? '' : await fingerprint(app);
    const answer = await send(client, world, person);
    if (spec.scope === 'public') return expect(answer.body?.code).not.toBe('insufficient_scope');
    expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope']);
    const named = spec.scope === 'session' ? '' : `, scope="${spec.scope}"`;
    expect(answer.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope"${named}`);
    if (spec.method !== 'GET') expect(await fingerprint(app)).toBe(before);
  });

  const isForTokens = spec.scope !== 'session' && spec.scope !== 'public';
  if (isForTokens)
    test('a token with that scope alone suffices', async () => {
      const world = unchanged ?? (await createWorld(app));
      unchanged = undefined;
      const answer = await send(await enter(world, person, [spec.scope as Scope]), world, person);
      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
      if (spec.method === 'GET') unchanged = world;
    });

  if (isStaffScope(spec.scope))
    test('a token with all scopes of somebody who is no staff is refused', async () => {
      const world = unchanged ?? (await createWorld(app));
      unchanged = world;
      const answer = await send(await enter(world, 'user', SCOPE_NAMES), world, 'user');
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    });
});

test('the table of scopes marks one scope, or none, for each call', () => {
  const lines = toScopeTable().split('\n').slice(2);
  expect(lines).toHaveLength(called.length);
  const marks = lines.map((line) => line.split('✓').length - 1);
  const expected = called.map(
    ({ spec: { scope } }) => ({ public: SCOPE_NAMES.length, session: 0 })[scope as string] ?? 1,
  );
  expect(marks).toEqual(expected);
});
