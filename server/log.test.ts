import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const LINES = 4000;
// A turn of the event loop each, as requests have; together far more than a pipe holds.
const WRITER = `
  import { setImmediate as turn } from 'node:timers/promises';
  import { openServerLog } from '${new URL('./log.ts', import.meta.url)}';
  const { log, accessLog } = openServerLog('info');
  for (let n = 0; n < ${LINES}; n++) {
    log.info({ n, text: 'x'.repeat(200) }, 'told');
    accessLog('info', { requestId: String(n), path: '/'.repeat(200) });
    await turn();
  }
  process.stderr.write('all said');
`;

test('lines of requests and others stay whole when the reader of stdout is slow', async () => {
  const child = spawn('sh', ['-c', '"$0" --input-type=module --eval "$1" | dd bs=1000', process.execPath, WRITER], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // nobody reads until everything waits in the writer
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  await expect.poll(() => said).toContain('all said');
  const lines = (await text(child.stdout)).trimEnd().split('\n');
  const told = lines.map((line) => JSON.parse(line).msg);
  expect(told.filter((msg) => msg === 'told')).toHaveLength(LINES);
  expect(told.filter((msg) => msg === 'request')).toHaveLength(LINES);
});
