import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import categories from '../../seeds/categories.json' with { type: 'json' };
import { openTestApp } from '../harness/app.ts';
import { insertCategories, insertPlaces, PLACES } from '../harness/factories.ts';
import { openSession, openToken } from '../harness/sessions.ts';
import { WEBHOOK_ENV } from '../harness/webhooks.ts';
import { createWorld, type World } from '../security/world.ts';
import { ensurePythonTools } from './python-tools.ts';

/** Random requests to each operation in each role, and sequences of requests. */
const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? '5';
const SEED = process.env.SCHEMATHESIS_SEED ?? String(Date.now() % 2 ** 31);
const PHASES = process.env.SCHEMATHESIS_PHASES ?? 'examples,coverage,fuzzing,stateful';

const { bin, problem } = ensurePythonTools();
if (problem) console.log(`SKIPPED: ${problem}`);

// On Linux, asks the kernel to end the tool with this process, however this process ends (PR_SET_PDEATHSIG, SIGKILL).
const WITH_PARENT = `
import ctypes, os, sys
if sys.platform == "linux": ctypes.CDLL(None).prctl(1, 9)
os.execv(sys.argv[1], sys.argv[1:])`;

async function run(tool: string, args: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  const command = ['-c', WITH_PARENT, join(bin ?? '', tool), ...args];
  const child = spawn(join(bin ?? '', 'python3'), command, { stdio: ['ignore', 'pipe', 'pipe'], cwd });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

describe.skipIf(!bin)('the OpenAPI document', async () => {
  const { app, url } = await openTestApp({ env: WEBHOOK_ENV });
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-openapi-'));
  const path = join(folder, 'openapi.json');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    await insertCategories(app);
    await insertPlaces(app);
    writeFileSync(path, await (await fetch(`${url}/api/openapi.json`)).text());
  });

  test('is valid for openapi-spec-validator', async () => {
    const { output } = await run('openapi-spec-validator', [path], folder);
    expect(output).toMatch(/: OK\s*$/);
  });

  /** Ids and names that exist, as dictionaries of Schemathesis. */
  const toDictionaries = (world: World): string => {
    const { people, ad, hiddenAd, reservedAd, expiredAd } = world;
    const { owner, counterpart, other, victim } = people;
    const dictionaries = {
      ads: [ad.id, hiddenAd.id, reservedAd.id, expiredAd.id],
      people: [owner.id, counterpart.id, other.id, victim.id],
      usernames: [owner.username, other.username],
      categories: categories.slice(0, 5).map(({ slug }) => slug),
      places: [PLACES.berlin.id, PLACES.potsdam.id],
      messages: [world.messageId],
      offers: [world.offerId],
      cases: [world.caseId],
      decisions: [world.decisionId],
      notifications: [world.notificationId],
      searches: [world.savedSearchId],
      webhooks: [world.webhookId, world.siteWebhookId],
      webhookDeliveries: [world.deliveryId],
      deals: [world.unratedDealId],
      ratings: [world.ratingId],
    };
    return Object.entries(dictionaries)
      .map(([name, values]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`)
      .join('\n');
  };

  const ENDINGS = ['logout', 'deleteMe', 'makeRecoveryCodes', 'deleteRecoveryCodes', 'removeMyEmail'];

  const toSession = (cookie: string): string => {
    const [session, signature] = cookie.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1));
    return [
      `[auth.openapi.session]\napi_key = "${session}"`,
      `[auth.openapi.signature]\napi_key = "${signature}"`,
      // they end the session of the run, or give it another id
      `[[operations]]\ninclude-operation-id = ${JSON.stringify(ENDINGS)}\nenabled = false`,
    ].join('\n\n');
  };

  const toToken = (authorization: string): string =>
    `[auth.openapi.token]\nbearer = "${authorization.slice('Bearer '.length)}"`;

  test.each(['visitor', 'member', 'admin', 'program', 'program of an administrator'] as const)(
    `describes what the API does for a %s (seed ${SEED})`,
    {
      timeout: 0,
    },
    async (role) => {
      const world = await createWorld(app);
      const { owner, admin } = world.people;
      const credentials = {
        visitor: async () => '',
        member: async () => toSession(await openSession(app, owner.id)),
        admin: async () => toSession(await openSession(app, admin.id)),
        program: async () => toToken(await openToken(app, owner.id)),
        'program of an administrator': async () => toToken(await openToken(app, admin.id)),
      };
      const config = join(folder, `${role}.toml`);
      const settings = readFileSync(join(import.meta.dirname, 'schemathesis.toml'), 'utf8');
      writeFileSync(config, [settings, toDictionaries(world), await credentials[role]()].join('\n'));
      const { code, output } = await run(
        'schemathesis',
        [
          ...['--no-color', '--config-file', config, 'run', path, '--url', url],
          ...['--phases', PHASES, '--max-examples', EXAMPLES, '--seed', SEED],
        ],
        folder,
      );
      console.log(output);
      expect(code, output).toBe(0);
    },
  );
});
