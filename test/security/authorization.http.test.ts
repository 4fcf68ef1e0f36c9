import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/index.ts';
import { getSuccessStatus } from '../../server/http/endpoints/output.ts';
import { routes } from '../../server/http/routes.ts';
import { openTestApp } from '../harness/app.ts';
import { createClient } from '../harness/client.ts';
import { insertCategories, insertPlaces } from '../harness/factories.ts';
import { openSession } from '../harness/sessions.ts';
import { WEBHOOK_ENV } from '../harness/webhooks.ts';
import { expectedOf, RULES } from './authorization-table.ts';
import { toScopeTable } from './scope-table.ts';
import { ACTORS, type ActorName, createWorld, fingerprint, type World } from './world.ts';

const { app, url } = await openTestApp({ env: WEBHOOK_ENV });
beforeAll(async () => {
  await insertCategories(app);
  await insertPlaces(app);
});

/** A client of this actor. Every client also sends X-Test-User of an administrator, which must have no effect. */
async function enter(world: World, actor: ActorName) {
  const claim = { 'X-Test-User': world.people.admin.id };
  if (actor === 'anonymous') return createClient(url, claim);
  if (actor === 'forged') {
    const cookie = await openSession(
      { ...app, config: { ...app.config, sessionKeys: ['x'.repeat(40)] } },
      world.people.admin.id,
    );
    return createClient(url, { ...claim, Cookie: cookie });
  }
  const person = world.people[actor];
  if (actor === 'demoted') await app.db('users').where({ id: person.id }).update({ role: 'admin' });
  const client = createClient(url, { ...claim, Cookie: await openSession(app, person.id) });
  if (actor === 'demoted') {
    // This replica has just cached the session of this former administrator.
    await client.send('/api/auth/me');
    await app.db('users').where({ id: person.id }).update({ role: 'user' });
    await expect.poll(async () => (await client.send('/api/admin/settings')).status).toBe(403);
  }
  return client;
}

test('every endpoint of the contract has a row, and every row an endpoint', () => {
  expect(Object.keys(RULES).sort()).toEqual(endpoints.map(({ name }) => name).sort());
});

test('every endpoint of the contract is bound, once, and nothing else is', () => {
  const bound = routes.map(({ spec }) => `${spec.method} ${spec.path}`);
  expect(bound.sort()).toEqual(endpoints.map(({ spec }) => `${spec.method} ${spec.path}`).sort());
});

const cells = endpoints.flatMap(({ name, spec }) =>
  (RULES[name] ?? []).flatMap((rule) =>
    ACTORS.map((actor) => {
      return { name, on: rule.on ?? '', actor, spec, rule, expected: expectedOf(rule, name, spec.method, actor) };
    }),
  ),
);

/** The world of the cell before, unless that cell may have changed it. A refused write has changed no row. */
let unchanged: World | undefined;

describe.each(endpoints.map(({ name }) => name))('%s', (endpoint) => {
  test.each(cells.filter(({ name }) => name === endpoint))('$on by $actor', async ({ actor, spec, rule, expected }) => {
    const world = unchanged ?? (await createWorld(app));
    unchanged = undefined;
    const client = await enter(world, actor);
    const { body, ...target } = rule.target?.(world, actor) ?? {};
    const before = spec.method === 'GET' ? '' : await fingerprint(app);
    const answer = await client.call(spec, { ...target, body } as never);
    expect(answer.status, JSON.stringify(answer.body)).toBe(expected === 'ok' ? getSuccessStatus(spec) : expected);
    if (expected === 'ok') rule.check?.(answer.body, world, actor);
    else if (spec.method !== 'GET') expect(await fingerprint(app)).toBe(before);
    if (actor === 'suspended' && expected === 403) expect(answer.body.code).toBe('account_suspended');
    if (expected !== 'ok' || spec.method === 'GET') unchanged = world;
  });
});

test('the table in docs/ is this one', async () => {
  const lines = cells.reduce((rows, { name, on, spec, expected }) => {
    const start = rows.get(`${name} ${on}`) ?? `| \`${spec.method} ${spec.path}\` | ${on} |`;
    return rows.set(`${name} ${on}`, `${start} ${expected === 'ok' ? '✓' : expected} |`);
  }, new Map<string, string>());
  const head = `| Call | On | ${ACTORS.join(' | ')} |\n|${' --- |'.repeat(ACTORS.length + 2)}`;
  const text = `# Who may what

Written by test/security/authorization.http.test.ts, which tries every cell. ✓ is success; a number is the status of the
refusal: 401 not signed in (a banned person's and a forged cookie count as none), 403 not yours, 404 does not exist for you,
409 not in this state. "owner" posted the ad, "counterpart" wrote to the owner, "other" has an ad of their own, "demoted"
was an administrator a moment ago, "suspended" reads what visitors read. Refused writes change no row.

Each condition behind it, and each guard that a statement or a presenter keeps, was taken away once, one at a time
(\`make mutate\`): a test noticed every one that was tried (docs/PROOF.md).

${head}
${[...lines.values()].join('\n')}

## With an access token

Written from the endpoints of contract/; test/security/scopes.http.test.ts tries every call, with the right scope alone and with all
others. ✓ lets the token's person do what the table above says, as a user: staff without a scope of staff are users too. In rows
with every ✓ the program reads what visitors read. The call of mail programs reads no token.

${toScopeTable()}
`;
  await expect(text).toMatchFileSnapshot('../../docs/AUTHORIZATION.md');
});
