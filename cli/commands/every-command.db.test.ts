import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
import { encryptSecret } from '../../server/features/webhooks/secrets.ts';
import { createSecret } from '../../server/features/webhooks/signature.ts';
import { fingerprint, openCliDatabase } from '../../test/harness/cli.ts';
import { insertUser } from '../../test/harness/factories.ts';
import { openSmtpServer } from '../../test/harness/smtp-server.ts';
import { EXIT } from '../framework/errors.ts';
import { getDisplayWidth } from '../framework/output.ts';
import { createProgram } from '../program.ts';

const { db, run } = await openCliDatabase();
const dir = mkdtempSync(join(tmpdir(), 'marketctl-'));
const markdown = join(dir, 'page.md');
writeFileSync(markdown, 'Our *policy*');
const server = createServer((_req, res) => void res.setHeader('Connection', 'close').end('{"status":"ok"}'));
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const smtp = await openSmtpServer();
const env = {
  IMAGE_DIR: join(dir, 'images'),
  PORT: String(port),
  SMTP_URL: smtp.url,
  TOKEN_ENC_KEY: 'a-key-that-only-this-test-has-for-webhooks',
};
afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true });
});

await run('seed categories');
await run('admin create root --generate');
await run('seed demo --ads 30');
const ann = await insertUser({ db }, { username: 'ann', x_id: '1' });
await insertUser({ db }, { username: 'bob', x_id: '2' });
const confirmed = { address: 'ann@mail.example', uses_x: false, confirmed_at: db.fn.now() };
await db('email_addresses').insert({ user_id: ann.id, ...confirmed });
const [books] = await db('categories').where({ slug: 'books' });
const ad = { user_id: ann.id, category_id: books.id, title: 'Atlas', description: 'Old', price: 5 };
const [pending] = await db('ads')
  .insert({ ...ad, state: 'pending' })
  .returning('id');
await db('page_texts').insert(['One', 'Two'].map((body) => ({ page: 'imprint', language: 'en', body })));
const LONG = 'x'.repeat(70);
const [written] = await db('contact_messages')
  .insert({ name: LONG, email: 'a@b.example', subject: LONG, message: LONG })
  .returning<{ id: string }[]>('id');
await db('sessions').insert({
  sid_hash: Buffer.alloc(32, 1),
  user_id: ann.id,
  kind: 'x',
  data: {},
  expires_at: db.raw("now() + interval '1 day'"),
});
const stop = {
  reason: 'credits-depleted',
  since: '2026-11-21T00:00:00Z',
  until: '2099-01-01T00:00:00Z',
  nextWait: 7200,
};
await db('settings').insert({ key: 'x-posting-stop', value: JSON.stringify(stop) });
await db.raw(`select graphile_worker.add_job('fold-counters', '{}')`);
await db.raw(`select graphile_worker.add_job('mail-contact', '{"contactMessageId":"1"}', max_attempts := 1)`);
await db.raw(
  `update graphile_worker._private_jobs set attempts = 1 where id = (select max(id) from graphile_worker._private_jobs)`,
);

const reported = { about: 'user', title: 'Ann', text: '@ann', price: null, category: null, state: null };
const [opened] = await db('moderation_cases')
  .insert({
    target_type: 'user',
    target_id: ann.id,
    person_id: ann.id,
    reported: { ...reported, images: [], messages: [], content: null },
  })
  .returning('id');

const config = { tokenEncKey: ['a-key-that-only-this-test-has-for-webhooks'] };
const [webhook] = await db('webhooks')
  .insert({
    id: 1000,
    user_id: ann.id,
    url: `http://127.0.0.1:${port}/hook`,
    host: `127.0.0.1:${port}`,
    events: ['ad.sold'],
    format: 'standard',
    ...encryptSecret(config, '1000', createSecret()),
  })
  .returning('id');
const [delivery] = await db('webhook_deliveries')
  .insert({ webhook_id: webhook.id, type: 'ad.sold', data: {}, status: 'failed', next_at: null })
  .returning('id');

type Does = 'reads' | 'changes';

interface Trial {
  line: string;
  does: Does;
  /** Of its JSON, in this order; none where it prints no data. */
  fields?: string;
  /** What a second run ends with; default 0. */
  again?: number;
}

// of commands that take several: what became of each is data too
const TARGETS = 'id target result error';
const CATEGORY = 'slug name icon position disabled';
const BACKUP = 'file site createdAt schema tables rows images imageBytes sha256';
const GRANT = 'id username grant granted changed';
const SETTING = 'key value';
const PAGE = 'page language text version savedAt savedBy characters';
const SYNONYMS = 'id words language oneWay createdAt';
const WEBHOOK = 'id userId username url events format state failingSince createdAt';
const NEW_WEBHOOK = 'id userId url events format secret';
const DELIVERY =
  'id messageId type status attempts responseStatus error durationMs createdAt lastAttemptAt nextAttemptAt';
const MAINTENANCE = 'maintenance since message retryAfter';
const POSTING = 'posting since reason until waiting';
const USER =
  'id username displayName email role status banReason bannedAt suspendedUntil isVerified isPremium canLinkOut adCount rating answerMinutes twitterId xAccountCreated createdAt lastSeenAt';
const AD_ROW =
  'id title description price oldPrice category location placeId priceType condition details externalLink allowMessages state stateReason stateReasonCode isListed isSold reservedFor reservedUntil views pictures userId username createdAt updatedAt expiresAt';
const CASE =
  'id targetType targetId status weight title personId username reports reasons openedAt action decidedBy decidedAt';
const CONTACT = 'id createdAt name email subject message userId mailedAt';
const STATS =
  'totalUsers todaySignups totalAds todayAds activeAds pendingAds revenue dailyActiveUsers visits avgSessionDuration avgSessionSeconds bounceRate conversionRate topCategories';
const METRICS = 'bucket signups ads sold revenue deletedAds conversations messages favorites visits visitors bans';
const JOB = 'id name state runAt attempts maxAttempts lastError createdAt';

const IMPORT = 'new changed same wrong created updated paused refused photosWaiting';

const SITE = 'new changed same wrong leftOut unmapped created updated paused refused photos photosWaiting';
const dumpOf = (site: string) =>
  new URL(`../../server/features/imports/fixtures/${site}-dump/dump.sql`, import.meta.url).pathname;

const market = join(dir, 'market.tar');
const listings = join(dir, 'listings.csv');
writeFileSync(
  listings,
  'id,title,description,price,category,images\n1,Stool,Three legs,12.00,furniture,stool.jpg\n2,,None,1,furniture,\n',
);
const TRIALS: readonly Trial[] = [
  { line: 'seed categories', does: 'changes', fields: 'created updated unchanged pruned disabled' },
  { line: 'seed places --countries AD', does: 'changes', fields: 'created updated unchanged removed kept' },
  { line: 'seed demo --ads 5', does: 'changes', fields: 'ads sellers firstAdId seconds' },
  {
    line: 'admin list',
    does: 'reads',
    fields: 'id login username displayName status passwordChangedAt lastSeenAt createdAt',
  },
  { line: 'admin create second --generate', does: 'changes', fields: 'id login password', again: EXIT.conflict },
  { line: 'admin reset-password second --generate', does: 'changes', fields: 'id login password' },
  { line: 'admin disable second', does: 'changes', fields: 'id login status' },
  { line: 'admin enable second', does: 'changes', fields: 'id login status' },
  { line: 'user list', does: 'reads', fields: USER },
  {
    line: 'user show @ann',
    does: 'reads',
    fields: `${USER} mailAddress mailState passkeys passkeyUsedAt recoveryCodes accessTokens accessTokenUsedAt webhooks`,
  },
  { line: 'user ban @ann --reason spam', does: 'changes', fields: TARGETS },
  { line: 'user unban @ann', does: 'changes', fields: TARGETS },
  { line: 'user warn @ann --for scam', does: 'changes', fields: TARGETS },
  { line: 'user suspend @ann --days 1', does: 'changes', fields: TARGETS },
  { line: 'user unban ann', does: 'changes', fields: TARGETS },
  { line: 'user role @ann moderator', does: 'changes', fields: TARGETS },
  { line: 'user role @ann user', does: 'changes', fields: TARGETS },
  { line: 'user grant @ann link-out', does: 'changes', fields: GRANT },
  { line: 'user revoke @ann link-out', does: 'changes', fields: GRANT },
  { line: 'notice send --to @ann --title Hello --body Hello', does: 'changes', fields: 'id to recipients' },
  { line: 'notice send --everyone --title Hello --body Hello --yes', does: 'changes', fields: 'id to recipients' },
  { line: 'user export @ann', does: 'reads' },
  { line: 'user evict @ann', does: 'changes', fields: 'id username passkeys codes tokens webhooks' },
  { line: 'user recover-link @ann', does: 'changes', fields: 'id username link' },
  { line: 'user delete @bob --yes', does: 'changes', fields: 'id username ads', again: EXIT.notFound },
  { line: 'search status', does: 'reads', fields: 'languages ads indexed waiting percent' },
  { line: 'stats show', does: 'reads', fields: STATS },
  { line: 'stats export --from 2d', does: 'reads', fields: METRICS },
  { line: 'ad list', does: 'reads', fields: AD_ROW },
  { line: `ad show ${pending.id}`, does: 'reads', fields: `${AD_ROW} buyer` },
  {
    line: 'ad export --user @ann',
    does: 'reads',
    fields:
      'id title description price currency priceType category location placeId condition details externalLink allowMessages state images',
  },
  { line: `ad activate ${pending.id}`, does: 'changes', fields: TARGETS },
  { line: `ad deactivate ${pending.id} --reason blurry`, does: 'changes', fields: TARGETS },
  { line: `ad delete ${pending.id} --yes`, does: 'changes', fields: TARGETS, again: EXIT.notFound },
  { line: `import ads ${listings} --as @ann --yes`, does: 'changes', fields: IMPORT },
  { line: 'import photos --as @ann', does: 'reads', fields: 'line id title photo why' },
  { line: `import osclass ${dumpOf('osclass')} --as @ann --yes`, does: 'changes', fields: SITE },
  { line: `import yclas ${dumpOf('yclas')} --as @ann --yes`, does: 'changes', fields: SITE },
  { line: 'report list', does: 'reads', fields: CASE },
  {
    line: `report show ${opened.id}`,
    does: 'reads',
    fields: `${CASE} reported now isEdited version history appeal decision actions`,
  },
  {
    line: `report resolve ${opened.id} --action warn --for offensive --yes`,
    does: 'changes',
    fields: TARGETS,
    again: EXIT.conflict,
  },
  { line: 'notify test @ann --channel email', does: 'changes', fields: 'id to channel status error' },
  { line: 'webhook list', does: 'reads', fields: WEBHOOK },
  {
    line: `webhook create --url http://127.0.0.1:${port}/hook --events ad.listed`,
    does: 'changes',
    fields: NEW_WEBHOOK,
  },
  { line: `webhook set ${webhook.id} --events ad.listed,ad.ended`, does: 'changes', fields: WEBHOOK },
  { line: `webhook off ${webhook.id}`, does: 'changes', fields: WEBHOOK },
  { line: `webhook on ${webhook.id}`, does: 'changes', fields: WEBHOOK },
  { line: `webhook secret ${webhook.id}`, does: 'changes', fields: NEW_WEBHOOK },
  { line: `webhook test ${webhook.id}`, does: 'reads', fields: 'delivered responseStatus error durationMs' },
  { line: `webhook deliveries ${webhook.id}`, does: 'reads', fields: DELIVERY },
  { line: `webhook send ${webhook.id} ${delivery.id}`, does: 'changes', fields: DELIVERY },
  { line: `webhook delete ${webhook.id} --yes`, does: 'changes', fields: TARGETS, again: EXIT.notFound },
  { line: 'mail preview price_drop', does: 'reads' },
  { line: 'category list', does: 'reads', fields: `${CATEGORY} ads` },
  { line: 'category add Gnomes', does: 'changes', fields: CATEGORY, again: EXIT.conflict },
  { line: 'category rename gnomes --name Dwarfs', does: 'changes', fields: CATEGORY },
  { line: 'category name gnomes Gnomes --language en', does: 'changes', fields: CATEGORY },
  { line: 'category move gnomes --before books', does: 'changes', fields: CATEGORY },
  { line: 'category disable gnomes', does: 'changes', fields: CATEGORY },
  { line: 'category enable gnomes', does: 'changes', fields: CATEGORY },
  { line: 'category merge gnomes --into books --yes', does: 'changes', fields: 'from into ads', again: EXIT.notFound },
  { line: 'session list', does: 'reads', fields: 'userId username displayName kind createdAt lastSeenAt expiresAt' },
  { line: 'session revoke --user @ann', does: 'changes', fields: 'revoked' },
  {
    line: 'token create @ann --name Script --scopes ads:read',
    does: 'changes',
    fields: 'id userId name expiresAt token',
  },
  {
    line: 'token list',
    does: 'reads',
    fields: 'id userId username name scopes lastFour createdAt expiresAt lastUsedAt',
  },
  { line: 'token revoke --user @ann', does: 'changes', fields: 'revoked' },
  { line: 'session gc', does: 'changes', fields: 'removed' },
  { line: 'contact list', does: 'reads', fields: CONTACT },
  { line: 'contact export', does: 'reads', fields: CONTACT },
  { line: `contact delete ${written!.id} --yes`, does: 'changes', fields: TARGETS, again: EXIT.notFound },
  { line: 'search synonyms add bike velocipede --language en --one-way', does: 'changes', fields: SYNONYMS },
  { line: 'search synonyms list', does: 'reads', fields: SYNONYMS },
  { line: 'search synonyms remove velocipede', does: 'changes', fields: SYNONYMS, again: EXIT.notFound },
  { line: 'currency show', does: 'reads', fields: 'currency configured convertingTo rate' },
  { line: 'settings get', does: 'reads', fields: SETTING },
  { line: 'settings set moderationMode manual', does: 'changes', fields: SETTING },
  { line: 'brand show', does: 'reads', fields: SETTING },
  { line: 'brand set isBeta false', does: 'changes', fields: SETTING },
  { line: 'brand reset', does: 'changes', fields: SETTING },
  { line: 'page list', does: 'reads', fields: PAGE },
  { line: 'page show privacy', does: 'reads' },
  { line: `page set privacy ${markdown}`, does: 'changes', fields: PAGE },
  { line: 'page history privacy', does: 'reads', fields: 'version savedAt savedBy text characters' },
  { line: 'page restore imprint 1', does: 'changes', fields: PAGE },
  { line: 'page reset privacy', does: 'changes', fields: PAGE },
  { line: 'audit list', does: 'reads', fields: 'id at actor actorId action targetType targetId details requestId' },
  { line: 'health', does: 'reads', fields: 'check status detail' },
  { line: 'doctor --only database,schema', does: 'reads', fields: 'check status detail advice' },
  { line: 'config check', does: 'reads' },
  { line: 'config print', does: 'reads', fields: 'name value source group' },
  { line: 'config docs', does: 'reads' },
  { line: 'keys generate', does: 'reads', fields: 'key' },
  {
    line: 'db status',
    does: 'reads',
    fields:
      'host database user version latencyMs sizeBytes connections maxConnections isReplica replicationLagSeconds migrations',
  },
  { line: 'images stats', does: 'reads', fields: 'store variant objects bytes' },
  { line: 'images verify', does: 'reads', fields: 'sha256 variant problem' },
  { line: 'images gc', does: 'changes', fields: 'collected swept' },
  { line: 'images migrate --to filesystem', does: 'changes', fields: 'from to copied skipped' },
  { line: 'jobs list', does: 'reads', fields: JOB },
  { line: 'jobs retry --failed', does: 'changes', fields: 'id' },
  { line: 'jobs run', does: 'changes', fields: 'id name status error' },
  { line: 'jobs run expire-ads', does: 'changes', fields: 'name status seconds' },
  { line: 'jobs run expire-ads --now +31d', does: 'changes', fields: 'name status seconds' },
  { line: 'posting status', does: 'reads', fields: POSTING },
  { line: 'posting resume --yes', does: 'changes', fields: POSTING },
  { line: 'maintenance status', does: 'reads', fields: MAINTENANCE },
  { line: 'maintenance on', does: 'changes', fields: MAINTENANCE },
  { line: 'maintenance off', does: 'changes', fields: MAINTENANCE },
  { line: 'completion bash', does: 'reads' },
  { line: 'completion zsh', does: 'reads' },
  { line: 'completion fish', does: 'reads' },
  { line: 'version', does: 'reads', fields: 'version node' },
  { line: 'help', does: 'reads' },
  { line: 'help exit-codes', does: 'reads' },
  { line: `backup create --out ${market}`, does: 'changes', fields: BACKUP },
  { line: `backup verify ${market}`, does: 'reads', fields: BACKUP },
  { line: `backup list ${dir}`, does: 'reads', fields: 'file createdAt site schema bytes' },
  { line: `backup restore ${market} --replace --yes`, does: 'changes', fields: BACKUP },
  { line: 'migrate status', does: 'reads', fields: 'name appliedAt' },
  { line: 'migrate unlock', does: 'changes', fields: 'wasLocked' },
  { line: 'migrate up', does: 'changes', fields: 'name' },
  {
    line: 'currency convert --to EUR --rate 0.92 --yes',
    does: 'changes',
    fields: 'table rows',
    again: EXIT.conflict,
  },
];

const readEverything = async (): Promise<string> => {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  const jobs = await db.raw('select id, attempts, run_at from graphile_worker._private_jobs order by id');
  return `${await fingerprint(db, ...rows.map(({ name }) => name))}\n${JSON.stringify(jobs.rows)}`;
};

const rowsOf = (json: unknown): object[] => (Array.isArray(json) ? json : [json]) as object[];
const ESCAPE = '\u001B';

const listLeaves = async (): Promise<{ path: string; leaf: Command }[]> => {
  const { program, loadWholeTree } = createProgram({
    env: {},
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: new AbortController().signal,
  });
  await loadWholeTree();
  const listBelow = (command: Command, path: string): { path: string; leaf: Command }[] =>
    command.commands.length === 0
      ? [{ path, leaf: command }]
      : command.commands.flatMap((each) => listBelow(each, `${path} ${each.name()}`));
  return program.commands.flatMap((noun) => listBelow(noun, noun.name()));
};

const tryOf = (path: string): Trial | undefined =>
  TRIALS.find(({ line }) => line === path || line.startsWith(`${path} `));

// `migrate down` takes the schema away; running.db.test.ts tries it
const ELSEWHERE = ['migrate down'];

describe('every command', () => {
  test('is tried here, and knows --dry-run if it changes something', async () => {
    for (const { path, leaf } of await listLeaves()) {
      const isDryRunKnown = leaf.options.some(({ long }) => long === '--dry-run');
      if (ELSEWHERE.includes(path)) expect([path, isDryRunKnown]).toEqual([path, true]);
      else expect([path, tryOf(path)?.does]).toEqual([path, isDryRunKnown ? 'changes' : 'reads']);
    }
  });

  for (const trial of TRIALS) {
    const words = trial.line.split(' ');
    const name = words.map((word) => word.replace(`${dir}/`, '').replace(dir, '.')).join(' ');
    const fields = trial.fields?.split(' ');
    const inFormat = (format: string) => (fields ? ['-o', format] : []);

    if (trial.does === 'changes')
      test(`${name} --dry-run prints what would be, and changes nothing`, async () => {
        const before = await readEverything();
        const { code, json, stderr } = await run([...words, '--dry-run', '-o', 'json'], { env });
        expect([code, stderr]).toEqual([EXIT.ok, expect.stringContaining('Dry run: nothing is changed')]);
        for (const row of rowsOf(json())) expect(Object.keys(row)).toEqual(fields);
        expect(await readEverything()).toBe(before);
      });

    test(`${name}: data on stdout, words on stderr, nothing of a terminal in a pipe`, async () => {
      const before = await readEverything();
      const { code, stdout, stderr, json } = await run([...words, ...inFormat('json')], { env });
      expect([code, stderr]).toEqual([EXIT.ok, expect.not.stringContaining('rror')]);
      if (fields) for (const row of rowsOf(json())) expect(Object.keys(row)).toEqual(fields);
      expect(stdout + stderr).not.toContain(ESCAPE);
      if (trial.does === 'reads') expect(await readEverything()).toBe(before);
    });

    test(`${name}: a second time ends with ${trial.again ?? 0}, with the same fields as CSV`, async () => {
      const { code, stdout, stderr, lines } = await run([...words, '--bom', ...inFormat('csv')], { env });
      expect(code).toBe(trial.again ?? EXIT.ok);
      if (trial.again) expect(stderr).toMatch(/./);
      if (trial.again && trial.fields !== TARGETS) expect(stdout).toBe('');
      if (fields && code === EXIT.ok) expect(lines[0]?.split(',')).toEqual([`\uFEFF${fields[0]}`, ...fields.slice(1)]);
      expect(stdout).not.toContain(ESCAPE);
    });

    test(`${name}: on a terminal lines fit, and only headers are bold`, async () => {
      const { code, stdout } = await run([...words, ...inFormat('table')], { env, columns: 100 });
      expect(code).toBe(trial.again ?? EXIT.ok);
      if (!fields) return;
      const [head = '', ...rest] = stdout.split('\n');
      expect(rest.join('')).not.toContain(ESCAPE);
      const isTable = head.startsWith(`${ESCAPE}[1m`);
      if (isTable) for (const line of rest) expect(getDisplayWidth(line)).toBeLessThanOrEqual(100);
    });
  }
});
