import { expect, test, vi } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertUser } from '../../../test/harness/factories.ts';
import { AppError } from '../../errors.ts';
import type { LoadShedder } from '../middleware/load-shedding.ts';

const load = vi.hoisted(() => ({ isTooMuch: false }));
vi.mock('../middleware/load-shedding.ts', () => {
  const inTurn: LoadShedder['inTurn'] = async (work) => {
    if (load.isTooMuch) throw new AppError('overloaded', { retryAfter: 4 });
    return work();
  };
  return { createLoadShedder: (): LoadShedder => ({ inTurn, middleware: (_, next) => inTurn(next), close() {} }) };
});
const { app, anonymous, signIn } = await openTestApp();

test('a page whose turn does not come is the page that says so, not JSON', async () => {
  const person = await signIn((await insertUser(app)).id);
  const shed = vi.spyOn(app.metrics, 'requestShed');
  load.isTooMuch = true;
  for (const client of [anonymous, person]) {
    const { status, headers, body } = await client.send('/about');
    expect([status, headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(headers.get('retry-after')).toBe('4');
    expect(body).toContain('id="boot"');
    // whether a request with a session is signed in is not known
    expect([client === person, body.includes('"me":null')]).toEqual([client === person, client === anonymous]);
  }
  expect(shed).toHaveBeenCalledTimes(2);
});

test('what is no page is refused as JSON', async () => {
  load.isTooMuch = true;
  for (const path of ['/api/ads', '/api', '/sitemap.xml']) {
    const { status, body } = await anonymous.send(path);
    expect([status, body]).toEqual([503, expect.objectContaining({ code: 'overloaded' })]);
  }
});

test('a page in memory needs no turn', async () => {
  const askTwice = async () => {
    load.isTooMuch = false;
    await anonymous.send('/');
    load.isTooMuch = true;
    return (await anonymous.send('/')).status;
  };
  // again where the second that it is kept went by in between
  await expect.poll(askTwice).toBe(200);
});
