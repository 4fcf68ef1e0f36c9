import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';

const run = promisify(execFile);

/** A turn of the event loop each, as requests have; together far more than a pipe holds. */
const writeLines = (lines: number, length: number) => `
  import { setImmediate as turn } from 'node:timers/promises';
  import { createServerLog } from '${new URL('./log.ts', import.meta.url)}';
  const { log, accessLog } = createServerLog('info');
  for (let n = 0; n < ${lines}; n++) {
    log.info({ n, text: 'x'.repeat(${length}) }, 'told');
    accessLog('info', { requestId: String(n), method: 'GET', path: '/'.repeat(200), status: 200, ms: 1.5, ip: '::1' });
    await turn();
  }
  process.stderr.write('all said');
`;

/** Lines of a program whose reader begins when everything waits in the writer. */
async function readSlowly(program: string): Promise<{ msg: string; lines?: number }[]> {
  const child = spawn('sh', ['-c', '"$0" --input-type=module --eval "$1" | dd bs=1000', process.execPath, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  await expect.poll(() => said).toContain('all said');
  return (await text(child.stdout))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('lines of requests and others stay whole when the reader of stdout is slow', async () => {
  const lines = await readSlowly(writeLines(4000, 200));
  expect(lines.filter(({ msg }) => msg === 'told')).toHaveLength(4000);
  expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(4000);
});

test.each([
  [{ path: '/"},\\"\t\u0001ä' }, {}],
  [{ path: '/a', route: '/:id' }, { userId: '7' }],
  [{ path: '/a' }, { userId: '7', traceId: 'ab' }],
])('a line of a request says what is known of it: %j %j', async (where, who) => {
  const line = { requestId: 'one', method: 'GET', ...where, status: 304, ms: 0.1, ip: '::1', ...who };
  const program = `
    import { createServerLog } from '${new URL('./log.ts', import.meta.url)}';
    createServerLog('info').accessLog('info', ${JSON.stringify(line)});
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
  expect(JSON.parse(stdout)).toEqual({ level: 30, time, ...line, msg: 'request' });
});

test('an error says its code; that of a sign-in stays out', async () => {
  const program = `
    import { createLog } from '${new URL('./log.ts', import.meta.url)}';
    const err = Object.assign(new Error('refused', { cause: Object.assign(new Error('full'), { code: 'ENOSPC' }) }), { code: '53300' });
    createLog('info').info({ err, query: { code: 'hush' }, code: 'hush' }, 'told');
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  expect(JSON.parse(stdout)).toMatchObject({
    err: { errorCode: '53300', cause: { errorCode: 'ENOSPC' } },
    query: { code: '[redacted]' },
    code: '[redacted]',
  });
});

test('of what a reader never takes, so much waits in memory; how many lines are missing is told', async () => {
  const lines = await readSlowly(writeLines(4000, 10_000));
  const lost = lines.flatMap((line) => line.lines ?? []);
  expect(lost).toHaveLength(1);
  expect(lost[0]).toBeGreaterThan(1000);
  expect(lines.length - 1 + lost[0]!).toBe(8000);
});

test.skipIf(!existsSync('/dev/full'))('a disk that is full ends no server, and keeps none from ending', async () => {
  const full = openSync('/dev/full', 'w');
  const end = "process.stderr.write('; still here'); process.exit(7);";
  const program = `${writeLines(10, 200)} setTimeout(() => { ${end} }, 100);`;
  const args = ['--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', full, 'pipe'] });
  const ended = once(child, 'exit');
  expect(await text(child.stderr!)).toContain('; still here');
  expect(await ended).toEqual([7, null]);
  closeSync(full);
});

test('what operators need is in the log of a refused mail and of a lost statement; secrets are not', async () => {
  const program = `
    import { createLog } from '${new URL('./log.ts', import.meta.url)}';
    import { logMailFailure } from '${new URL('../features/notifications/mail-slots.ts', import.meta.url)}';
    const log = createLog('info');
    logMailFailure({ log }, { cause: { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 } }, { userId: '7' });
    log.warn({ sqlState: '26000' }, 'lost');
    log.warn({ token: 'hush', query: { cookie: 'hush', authorization: 'hush', code_verifier: 'hush' } }, 'secret');
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  const [mail, lost] = stdout.split('\n').map((line) => line && JSON.parse(line));
  expect(mail).toMatchObject({ userId: '7', mailError: 'EENVELOPE', command: 'RCPT TO', smtpReply: 550 });
  expect(lost).toMatchObject({ sqlState: '26000' });
  expect(stdout).not.toContain('hush');
});

test('a field that is redacted cannot be logged', () => {
  const log = createLog('silent');
  // @ts-expect-error: `code` would be redacted
  log.warn({ code: '26000' }, 'lost');
  // @ts-expect-error: `state` too
  log.info({ state: 'open' }, 'told');
});
