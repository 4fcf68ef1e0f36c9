import type { IncomingMessage } from 'node:http';
import type Keygrip from 'keygrip';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { AppContext } from '../../app-context.ts';
import { findUserActor } from '../../features/auth/repository.ts';
import {
  findSessionHolder,
  hashSid,
  type SessionHolder,
  touchSession,
} from '../../features/auth/session-repository.ts';
import { ANONYMOUS, type AnonymousActor, type UserActor } from '../../policy.ts';
import { hasJustWritten } from '../request/read-your-writes.ts';
import { isLoopback, SESSION_COOKIE } from '../request/request-info.ts';
import { cookieOptions, type KnownSignatures, readSid } from './cookie.ts';

const SAFE = new Set(['GET', 'HEAD']);

const toActor = ({ user_id: id, role }: SessionHolder): UserActor => ({ kind: 'user', id, role });

export interface SessionReader {
  /**
   * The actor of a request. Writes, and reads just after a write, always query the session; other reads may use one
   * cached for 5 s, which session events invalidate.
   */
  readActor(ctx: Context): Promise<UserActor | AnonymousActor>;
  peekActor(req: IncomingMessage): UserActor | undefined;
  findSidHash(ctx: Context): Buffer | undefined;
  forget(userId?: string): void;
}

export function createSessionReader(appContext: AppContext, keys: Keygrip): SessionReader {
  const recent = new LRUCache<string, SessionHolder>({ max: 20_000, ttl: 5000 });
  const signatures: KnownSignatures = new LRUCache({ max: 20_000 });
  // A read that began before a change must not be cached after it.
  let generation = 0;
  const forget = (userId?: string) => {
    generation++;
    if (userId === undefined) recent.clear();
    else for (const [sid, holder] of recent.entries()) if (holder.user_id === userId) recent.delete(sid);
  };
  appContext.events.subscribe('sessions', (event) => forget(event?.userId));

  const findCached = (sid: string): SessionHolder | undefined =>
    appContext.events.isUp() ? recent.get(sid) : undefined;

  async function readHolder(sid: string, mayBeRecent: boolean): Promise<SessionHolder | undefined> {
    const cached = mayBeRecent ? findCached(sid) : undefined;
    if (cached) return cached;
    const asked = generation;
    const sidHash = hashSid(sid);
    const holder = await findSessionHolder(appContext.db, sidHash);
    if (holder?.is_stale) await touchSession(appContext.db, sidHash, holder.user_id);
    if (holder && asked === generation) recent.set(sid, { ...holder, is_stale: false });
    return holder;
  }

  async function readTestUser(ctx: Context): Promise<UserActor | undefined> {
    const id = ctx.get('X-Test-User');
    const { isProduction, authTestUsers } = appContext.config;
    if (id === '' || isProduction || !authTestUsers || !isLoopback(ctx.req.socket.remoteAddress)) return undefined;
    return /^[1-9]\d{0,17}$/.test(id) ? findUserActor(appContext.db, id) : undefined;
  }

  return {
    forget,
    findSidHash(ctx) {
      const signed = readSid(ctx, keys, signatures);
      return signed && hashSid(signed.sid);
    },
    peekActor(req) {
      const signed = req.headers['x-test-user'] ? undefined : readSid(req, keys, signatures);
      const holder = signed && !signed.isOldKey ? findCached(signed.sid) : undefined;
      return holder && toActor(holder);
    },
    async readActor(ctx) {
      const testUser = await readTestUser(ctx);
      if (testUser) return testUser;
      const signed = readSid(ctx, keys, signatures);
      if (!signed) return ANONYMOUS;
      const holder = await readHolder(signed.sid, SAFE.has(ctx.method) && !hasJustWritten(ctx));
      if (!holder) return ANONYMOUS;
      if (signed.isOldKey)
        ctx.cookies.set(SESSION_COOKIE, signed.sid, { ...cookieOptions(appContext.config, holder.kind), signed: true });
      return toActor(holder);
    },
  };
}
