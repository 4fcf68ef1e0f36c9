import { setTimeout as sleep } from 'node:timers/promises';
import { signInAdmin, X_SIGN_IN } from '../../contract/auth.ts';
import { sendMessage } from '../../contract/messages.ts';
import type { Writer } from '../bench/reads-while-writing.ts';
import { PASSWORD } from '../harness/factories.ts';
import { newAddress, type Sending, send, type Target } from './send.ts';

/** One thing that a person wanted, with as many tries as it took. */
export interface Attempt {
  what: string;
  tries: number;
  ms: number;
  isDone: boolean;
}

const PATIENCE_MS = 30_000;
const PAUSE_MS = 2000;

/** Tries again as browsers do: when the response says, or after a second when the connection broke. */
async function insist(target: Target, what: string, sending: Sending, expected: number): Promise<Attempt> {
  const started = performance.now();
  for (let tries = 1; ; tries++) {
    const response = await send(target, sending).catch(() => undefined);
    const ms = performance.now() - started;
    if (response?.status === expected) return { what, tries, ms, isDone: ms <= PATIENCE_MS };
    const waitMs = (response?.retryAfter ?? 1) * 1000;
    if (ms + waitMs > PATIENCE_MS) return { what, tries, ms, isDone: false };
    await sleep(waitMs);
  }
}

export interface People {
  attempts: Attempt[];
  /** Waits until each has what they want, or has given up. */
  stop(): Promise<void>;
}

/** Each of these people begins to sign in with X, signs in with a password, and sends a message, over and over. */
export function startPeople(target: Target, login: string, writers: readonly Writer[]): People {
  const attempts: Attempt[] = [];
  let stopped = false;
  const live = async (writer: Writer, i: number): Promise<void> => {
    await sleep(Math.random() * PAUSE_MS);
    for (let serial = 0; !stopped; serial++) {
      const address = newAddress();
      const to = writers[(i + 1) % writers.length]!;
      const credentials = { username: login, password: PASSWORD };
      const message = { adId: to.adId, receiverId: to.userId, content: `Is it still there? ${i}-${serial}` };
      const signIn: Sending = { method: signInAdmin.method, path: signInAdmin.path, body: credentials, address };
      const write = {
        method: sendMessage.method,
        path: sendMessage.path,
        body: message,
        cookie: writer.cookie,
        address,
      };
      attempts.push(await insist(target, 'sign-in with X begins', { path: X_SIGN_IN.start, address }, 302));
      attempts.push(await insist(target, 'sign-in with a password', signIn, 200));
      attempts.push(await insist(target, 'message', write, 201));
      await sleep(PAUSE_MS);
    }
  };
  const lives = writers.map(live);
  return {
    attempts,
    async stop() {
      stopped = true;
      await Promise.all(lives);
    },
  };
}
