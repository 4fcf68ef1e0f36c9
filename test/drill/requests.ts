// How clients of the drill send a request, and what its outcome says about the write.

import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointSpec } from '../../contract/endpoint.ts';
import { createClient, type Loose } from '../harness/client.ts';
import { JUST_WROTE } from '../harness/sessions.ts';
import type { KeyedWrite, Ledger, Outcome, Person, Span } from './ledger.ts';

/** What every client of a seed shares. */
export interface Drill {
  urls: readonly [string, string];
  ledger: Ledger;
  /** From 0 to 1 (exclusive), by the seed. */
  random: () => number;
  isOver: () => boolean;
}

export interface Sent extends Span {
  outcome: Outcome;
  status: number;
  /** Of an error: its code; `unreachable` if no connection was possible, `no_response` if the response never came. */
  code: string;
  headers: Headers;
  body: Loose;
}

const PATIENCE_MS = 8000;
/** The marketplace sends these before it has begun the work. */
const NOT_BEGUN = new Set(['rate_limited', 'overloaded', 'shutting_down', 'maintenance', 'unreachable']);
/** Nothing that a client of the drill does may lead to these. */
const FORBIDDEN_CODES = new Set(['unauthenticated', 'idempotency_key_reused', 'validation_failed', 'internal_error']);

const toOutcome = (status: number, code: string): Outcome => {
  if (status < 300) return 'acknowledged';
  if (NOT_BEGUN.has(code)) return 'refused';
  return status >= 500 || code === 'idempotency_in_progress' ? 'unknown' : 'refused';
};

const describeFailure = (error: unknown): string => {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === 'ECONNREFUSED' ? 'unreachable' : 'no_response';
};

export interface SendOptions {
  params?: object | undefined;
  query?: object | undefined;
  body?: object | undefined;
  headers?: Record<string, string> | undefined;
}

/** Reads bypass the response cache, as those of a browser that has just written. */
export const clientOf = (url: string, { cookie }: Person) => createClient(url, { Cookie: `${cookie}; ${JUST_WROTE}` });

/** Sends a request once. Never throws. Some clients go away before the response. */
export const send = async (
  { ledger, random }: Drill,
  url: string,
  by: Person,
  spec: EndpointSpec,
  options: SendOptions = {},
): Promise<Sent> => {
  const patience = spec.method !== 'GET' && random() < 0.04 ? 5 + random() * 200 : PATIENCE_MS;
  const sentAt = ledger.tick();
  const fail = (code: string): Sent => {
    const outcome = toOutcome(599, code);
    return {
      outcome,
      status: 599,
      code,
      headers: new Headers(),
      body: null,
      sentAt,
      endedAt: Number.POSITIVE_INFINITY,
    };
  };
  try {
    const signal = AbortSignal.timeout(patience);
    const { status, headers, body } = await clientOf(url, by).call(spec, { ...options, signal } as never);
    const code: string = status < 300 ? '' : (body?.code ?? `status_${status}`);
    const outcome = toOutcome(status, code);
    if (code !== '') ledger.errors.set(code, (ledger.errors.get(code) ?? 0) + 1);
    if (FORBIDDEN_CODES.has(code))
      ledger.problems.push({
        kind: 'wrong',
        what: `${spec.method} ${spec.path} of ${by.name} at ${new Date().toISOString()}: ${status} ${JSON.stringify(body)}`,
      });
    const endedAt = outcome === 'unknown' ? Number.POSITIVE_INFINITY : ledger.tick();
    return { outcome, status, code, headers, body, sentAt, endedAt };
  } catch (error) {
    const code = describeFailure(error);
    ledger.errors.set(code, (ledger.errors.get(code) ?? 0) + 1);
    return fail(code);
  }
};

export const pickUrl = ({ urls, random }: Pick<Drill, 'urls' | 'random'>): string => urls[random() < 0.5 ? 0 : 1];

/** Sends a write without an idempotency key, once. */
export const sendOnce = async (
  drill: Drill,
  by: Person,
  spec: EndpointSpec,
  options: SendOptions = {},
  url: string = pickUrl(drill),
): Promise<Sent> => {
  const sent = await send(drill, url, by, spec, options);
  drill.ledger.counts[sent.outcome]++;
  return sent;
};

const sendWithKey = async (drill: Drill, url: string, { by, spec, options, key }: KeyedWrite): Promise<Sent> =>
  send(drill, url, by, spec, { ...options, headers: { 'Idempotency-Key': key } });

/** Notes a response to the write; two acknowledgements must be about the same row. */
export const acknowledge = ({ ledger }: Drill, write: KeyedWrite, sent: Sent): void => {
  const { id } = sent.body;
  if (write.id === undefined) {
    write.id = id;
    write.outcome = 'acknowledged';
    write.onAcknowledged(sent);
  } else if (write.id !== id)
    ledger.problems.push({
      kind: 'doubled',
      what: `${write.spec.path} with the key ${write.key}: ${write.id} and ${id}`,
    });
};

/**
 * Sends a write with its key until it is acknowledged or refused, or its client gives up. Some are sent to both replicas at
 * once, and some again after the acknowledgement.
 */
export const sendUntilAcknowledged = async (drill: Drill, write: KeyedWrite): Promise<Outcome> => {
  const { ledger, random, urls, isOver } = drill;
  let mayHaveHappened = false;
  for (let attempt = 1; ; attempt++) {
    const targets = random() < 0.05 ? urls : [pickUrl(drill)];
    const all = await Promise.all(targets.map((url) => sendWithKey(drill, url, write)));
    if (attempt > 1) ledger.counts.repeated++;
    for (const sent of all) if (sent.outcome === 'acknowledged') acknowledge(drill, write, sent);
    if (write.outcome === 'acknowledged') break;
    mayHaveHappened ||= all.some(({ outcome }) => outcome === 'unknown');
    const mayChange = all.some(({ outcome, code }) => outcome === 'unknown' || NOT_BEGUN.has(code));
    if (!mayChange || isOver() || random() < 0.05) break;
    await sleep(50 + random() * 250);
  }
  if (write.outcome === 'acknowledged' && random() < 0.05) {
    const sent = await sendWithKey(drill, pickUrl(drill), write);
    ledger.counts.repeated++;
    if (sent.outcome === 'acknowledged') acknowledge(drill, write, sent);
  }
  if (write.outcome !== 'acknowledged') write.outcome = mayHaveHappened ? 'unknown' : 'refused';
  ledger.counts[write.outcome]++;
  return write.outcome;
};

/** Sends a write again, after the faults, until its outcome is known. */
export const settle = async (drill: Drill, write: KeyedWrite): Promise<Sent> => {
  for (let attempt = 1; ; attempt++) {
    const sent = await sendWithKey(drill, pickUrl(drill), write);
    drill.ledger.counts.repeated++;
    if (sent.outcome === 'acknowledged') acknowledge(drill, write, sent);
    const isKnown = sent.outcome === 'acknowledged' || (sent.outcome === 'refused' && !NOT_BEGUN.has(sent.code));
    if (isKnown || attempt === 20) return sent;
    await sleep(200);
  }
};
