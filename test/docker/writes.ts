import { randomInt, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashSid } from '../../server/features/sessions/session-repository.ts';
import { SESSION_COOKIE } from '../../server/http/request/request-info.ts';
import { createKeygrip, newSid } from '../../server/http/session/session.ts';
import type { Stack } from './stack.ts';

export interface Writer {
  id: string;
  cookie: string;
}

export interface Writing {
  mark: string;
  ads: string[];
  messages: string[];
  retries: number;
  /** Responses that a write must never get. */
  refusals: string[];
  stop(): Promise<void>;
}

export function addWriter(stack: Stack, username: string): Writer {
  const keys = createKeygrip({ sessionKeys: [stack.secret('session_keys')] });
  const sid = newSid();
  const id = stack.sql(
    `insert into users (x_id, username, display_name, created_at)
       values ('${randomInt(1e12)}', '${username}', '${username}', now() - interval '1 year') returning id`,
  );
  stack.sql(
    `insert into sessions (sid_hash, user_id, kind, data, expires_at)
     values ('\\x${hashSid(sid).toString('hex')}', ${id}, 'x', '{}', now() + interval '1 day')`,
  );
  return { id, cookie: `${SESSION_COOKIE}=${sid}; ${SESSION_COOKIE}.sig=${keys.sign(`${SESSION_COOKIE}=${sid}`)}` };
}

interface Post {
  path: string;
  body: unknown;
}

const send = (origin: string, agent: Agent, { path, body }: Post, headers: Record<string, string>) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const call = request(origin + path, { agent, method: 'POST', headers }, (answer) => {
      let text = '';
      answer
        .on('data', (chunk) => (text += chunk))
        .on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        .on('error', reject);
    });
    call.on('error', reject).end(JSON.stringify(body));
  });

const isUnknown = (status: number, text: string) => status >= 500 || text.includes('idempotency_in_progress');

/** Users who post ads and messages. Each write is repeated with its idempotency key until it is acknowledged. */
export function startWriting(origin: string, adId: string, seller: Writer, buyers: Writer[]): Writing {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const mark = `Rolled ${randomUUID().slice(0, 8)}`;
  const writing: Writing = { mark, ads: [], messages: [], retries: 0, refusals: [], stop: async () => {} };
  let stopped = false;

  async function write({ cookie }: Writer, post: Post): Promise<boolean> {
    const headers = {
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      'Idempotency-Key': randomUUID(),
      Cookie: cookie,
    };
    for (; ; writing.retries++, await sleep(50)) {
      const { status, text } = await send(origin, agent, post, headers).catch(() => ({ status: 599, text: '' }));
      if (status === 201) return true;
      if (isUnknown(status, text)) continue;
      writing.refusals.push(`${post.path}: ${status} ${text}`);
      return false;
    }
  }

  const goOn = async (buyer: Writer): Promise<void> => {
    for (; !stopped; await sleep(20)) {
      const title = `${mark} ${randomUUID()}`;
      const ad = { title, description: 'Posted while a replica went.', price: '5', category: 'other' };
      if (await write(buyer, { path: '/api/ads', body: ad })) writing.ads.push(title);
      const content = `${mark} ${randomUUID()}`;
      const message = { adId, receiverId: seller.id, content };
      if (await write(buyer, { path: '/api/messages', body: message })) writing.messages.push(content);
    }
  };
  const running = buyers.map(goOn);
  writing.stop = async () => {
    stopped = true;
    await Promise.all(running);
    agent.destroy();
  };
  return writing;
}
