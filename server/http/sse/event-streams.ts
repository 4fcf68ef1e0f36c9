import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import type { EventStream } from '../../endpoints/define.ts';
import { AppError } from '../../errors.ts';
import { findUserActor } from '../../features/auth/repository.ts';
import { findUnrestrictedTokens } from '../../features/auth/token-repository.ts';
import { findUnrestrictedSessions } from '../../features/sessions/session-repository.ts';
import { getSuspensionEnd, isProgram, type UserActor } from '../../policy.ts';
import type { Lifecycle } from '../health.ts';
import type { SessionReader } from '../session/session.ts';

// biome-ignore lint/suspicious/noExplicitAny: each stream's events are checked where its route is made
type AnyStream = EventStream<any>;

export interface EventStreams {
  /** Opens a stream, which ends with the session, the access token or the user's good standing; undefined for HEAD and disconnected clients. */
  open(ctx: Context, spec: EndpointSpec, actor: UserActor): AnyStream | undefined;
  close(): void;
}

interface OpenStream {
  userId: string;
  sidHash: Buffer | undefined;
  tokenId: string | undefined;
  slot: number;
  send: AnyStream['send'];
  end(): void;
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // no-transform: a compressing proxy would buffer events
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};
/** A client with more unread bytes is disconnected. */
const BACKLOG_BYTES = 64 * 1024;
const RETRY_AFTER_SECONDS = 30;

function checkEvent({ path, events }: EndpointSpec, name: string, data: unknown): void {
  if (!events?.[name]?.safeParse(data).success)
    throw new Error(`event ${name} of ${path} is not as declared: ${JSON.stringify(data)}`);
}

const writeEvent = (res: ServerResponse, name: string, data: unknown): void => {
  if (res.writableEnded || res.destroyed) return;
  res.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  if (res.writableLength > BACKLOG_BYTES) res.destroy();
};

export function createEventStreams(
  appContext: AppContext,
  sessions: SessionReader,
  lifecycle: Lifecycle,
): EventStreams {
  const { db, config, metrics, events, log } = appContext;
  const streams = new Set<OpenStream>();
  let opened = 0;
  let second = 0;

  async function isActive(userId: string): Promise<boolean> {
    const actor = await findUserActor(db, userId);
    return actor !== undefined && getSuspensionEnd(actor, appContext.clock.now()) === null;
  }

  async function endEnded(some: readonly OpenStream[]): Promise<void> {
    const hashes = some.flatMap(({ sidHash }) => sidHash ?? []);
    const live = hashes.length > 0 ? await findUnrestrictedSessions(db, hashes) : new Set();
    const tokenIds = some.flatMap(({ tokenId }) => tokenId ?? []);
    const liveTokens = tokenIds.length > 0 ? await findUnrestrictedTokens(db, tokenIds) : new Set();
    const hasEnded = async ({ sidHash, tokenId, userId }: OpenStream): Promise<boolean> => {
      if (tokenId) return !liveTokens.has(tokenId);
      return sidHash ? !live.has(sidHash.toString('hex')) : !(await isActive(userId));
    };
    for (const stream of some) {
      if (await hasEnded(stream)) stream.end();
    }
  }
  // while the database is unavailable there are no events to send
  const tryEndEnded = (some: readonly OpenStream[]) =>
    endEnded(some).catch((err) => log.debug({ err }, 'streams not checked'));

  const unchecked = new Set<OpenStream>();
  let isChecking = false;
  /** One query at a time: streams added while it runs share the next. */
  async function check(some: Iterable<OpenStream>): Promise<void> {
    for (const stream of some) unchecked.add(stream);
    if (isChecking) return;
    isChecking = true;
    while (unchecked.size > 0) {
      const batch = [...unchecked];
      unchecked.clear();
      await tryEndEnded(batch);
    }
    isChecking = false;
  }
  events.subscribe(
    'sessions',
    (event) => void check(event ? [...streams].filter(({ userId }) => userId === event.userId) : streams),
  );

  const beat = setInterval(() => {
    second = (second + 1) % LIMITS.streamBeatSeconds;
    const due = [...streams].filter(({ slot }) => slot === second);
    for (const stream of due) stream.send('beat', {});
    void tryEndEnded(due);
  }, 1000).unref();

  /** Programs and browsers of a person have the same number each, so that neither keeps out the other. */
  function refuseTooMany(userId: string, ofProgram: boolean): void {
    if (lifecycle.phase === 'draining') throw new AppError('shutting_down', { retryAfter: 1 });
    if (streams.size >= LIMITS.streams) throw new AppError('overloaded', { retryAfter: RETRY_AFTER_SECONDS });
    const own = [...streams].filter(
      (stream) => stream.userId === userId && (stream.tokenId !== undefined) === ofProgram,
    );
    if (own.length >= LIMITS.streamsPerUser) throw new AppError('rate_limited', { retryAfter: RETRY_AFTER_SECONDS });
  }

  return {
    open(ctx, spec, actor) {
      const { id: userId, token } = actor;
      refuseTooMany(userId, isProgram(actor));
      ctx.set(HEADERS);
      ctx.status = 200;
      const { res } = ctx;
      if (ctx.method === 'HEAD' || res.destroyed) return undefined;
      const stream: OpenStream = {
        userId,
        sidHash: sessions.findSidHash(ctx),
        tokenId: token?.id,
        slot: opened++ % LIMITS.streamBeatSeconds,
        send(name, data) {
          if (config.checkReplies) checkEvent(spec, name, data);
          writeEvent(res, name, data);
        },
        end: () => void res.end(),
      };
      streams.add(stream);
      metrics.streamOpened();
      res.once('close', () => {
        streams.delete(stream);
        metrics.streamClosed();
      });
      ctx.respond = false;
      res.flushHeaders();
      ctx.state.answered();
      // the session may have ended before this stream opened
      void tryEndEnded([stream]);
      return { send: stream.send, onClose: (effect) => void res.once('close', effect) };
    },
    close() {
      clearInterval(beat);
      for (const stream of streams) stream.end();
    },
  };
}
