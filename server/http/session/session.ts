import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Keygrip from 'keygrip';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import session from 'koa-session';
import { LRUCache } from 'lru-cache';
import { streamMessages } from '../../../contract/messages.ts';
import type { AppContext } from '../../app-context.ts';
import type { Config } from '../../config/load.ts';
import type { SessionRenewal, SessionWriter } from '../../endpoints/define.ts';
import { findUserActor } from '../../features/auth/repository.ts';
import {
  deleteSessions,
  findSession,
  findSessionHolder,
  hashSid,
  insertSession,
  SESSION_SECONDS,
  type SessionHolder,
  type SessionKind,
  touchSession,
  updateSessionData,
} from '../../features/sessions/session-repository.ts';
import { ANONYMOUS, type AnonymousActor, type UserActor } from '../../policy.ts';
import { readLanguage } from '../request/language.ts';
import { hasJustWritten } from '../request/read-your-writes.ts';
import { findTestUser, readCookie, SESSION_COOKIE } from '../request/request-info.ts';

const SID = /^[\w-]{43}$/;

export const newSid = (): string => randomBytes(32).toString('base64url');

/** The first key signs, all verify, so that rotating a key signs no user out. */
export const createKeygrip = ({ sessionKeys }: Pick<Config, 'sessionKeys'>): Keygrip =>
  new Keygrip([...sessionKeys], 'sha256');

const cookieOptions = (config: Pick<Config, 'isHttps'>, kind: SessionKind) => ({
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: config.isHttps,
  path: '/',
  overwrite: true,
  maxAge: SESSION_SECONDS[kind].total * 1000,
});

interface SignedSid {
  sid: string;
  isOldKey: boolean;
}

/** Verified signatures, by id and signature: verifying one takes several HMACs. */
type KnownSignatures = LRUCache<string, SignedSid>;

function readSid(
  { headers }: Pick<IncomingMessage, 'headers'>,
  keys: Keygrip,
  known?: KnownSignatures,
): SignedSid | undefined {
  const sid = readCookie(headers.cookie, SESSION_COOKIE);
  const signature = readCookie(headers.cookie, `${SESSION_COOKIE}.sig`);
  if (sid === undefined || signature === undefined || !SID.test(sid)) return undefined;
  const pair = `${sid} ${signature}`;
  const found = known?.get(pair);
  if (found) return found;
  const index = keys.index(`${SESSION_COOKIE}=${sid}`, signature);
  if (index < 0) return undefined;
  const signed = { sid, isOldKey: index > 0 };
  known?.set(pair, signed);
  return signed;
}

const SAFE = new Set(['GET', 'HEAD']);

const toActor = ({
  user_id: id,
  role,
  has_blocks: hasBlocks,
  suspended_until: suspendedUntil,
  language,
  time_zone: timeZone,
}: SessionHolder): UserActor => ({
  kind: 'user',
  id,
  role,
  hasBlocks,
  suspendedUntil,
  language,
  timeZone,
});

export interface SessionReader {
  /**
   * The actor of a request. Writes, and reads just after a write, always query the session; other reads may use one
   * cached for 5 s, which session events invalidate.
   */
  readActor(ctx: Context): Promise<UserActor | AnonymousActor>;
  peekActor(req: IncomingMessage): UserActor | undefined;
  findSidHash(ctx: Context): Buffer | undefined;
  renew(ctx: Context): SessionRenewal | undefined;
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
    const id = findTestUser(ctx.req, appContext.config);
    return id !== undefined && /^[1-9]\d{0,17}$/.test(id) ? findUserActor(appContext.db, id) : undefined;
  }

  /** A session without a user: a sign-in that waits for X. */
  const isSigningIn = async (sid: string): Promise<boolean> =>
    (await findSession(appContext.db, hashSid(sid)))?.user_id === null;

  return {
    forget,
    findSidHash(ctx) {
      const signed = readSid(ctx, keys, signatures);
      return signed && hashSid(signed.sid);
    },
    renew(ctx) {
      const signed = readSid(ctx, keys, signatures);
      const kind = ctx.state.sessionKind;
      if (!signed || kind === undefined) return undefined;
      const sid = newSid();
      const options = { ...cookieOptions(appContext.config, kind), signed: true };
      const send = () => void ctx.cookies.set(SESSION_COOKIE, sid, options);
      return { former: hashSid(signed.sid), next: hashSid(sid), isStored: false, send };
    },
    peekActor(req) {
      const signed = findTestUser(req, appContext.config) === undefined ? readSid(req, keys, signatures) : undefined;
      const holder = signed && !signed.isOldKey ? findCached(signed.sid) : undefined;
      return holder && toActor(holder);
    },
    async readActor(ctx) {
      const testUser = await readTestUser(ctx);
      if (testUser) return testUser;
      const signed = readSid(ctx, keys, signatures);
      if (!signed) {
        ctx.state.hasStaleSession = readCookie(ctx.headers.cookie, SESSION_COOKIE) !== undefined;
        return ANONYMOUS;
      }
      const mayBeRecent = SAFE.has(ctx.method) && !hasJustWritten(ctx, appContext.config);
      const holder = await readHolder(signed.sid, mayBeRecent);
      if (!holder) {
        ctx.state.hasStaleSession = !(await isSigningIn(signed.sid));
        return ANONYMOUS;
      }
      ctx.state.sessionKind = holder.kind;
      if (signed.isOldKey)
        ctx.cookies.set(SESSION_COOKIE, signed.sid, { ...cookieOptions(appContext.config, holder.kind), signed: true });
      return toActor(holder);
    },
  };
}

/**
 * Deletes the cookies of a session that is over or was never one: they would keep their browser out of the caches for as
 * long as it keeps them. An event stream leaves them: it may end after a sign-in whose new cookies are already there.
 */
export const clearStaleSession = ({ config }: Pick<AppContext, 'config'>): Middleware => {
  const secure = config.isHttps ? '; Secure' : '';
  const end = `=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax${secure}`;
  const lines = [SESSION_COOKIE, `${SESSION_COOKIE}.sig`].map((name) => name + end);
  return async function clearCookies(ctx, next) {
    await next();
    const isStream = ctx.state.route === streamMessages.path;
    if (!ctx.state.hasStaleSession || isStream || ctx.headerSent) return;
    const sent = [ctx.res.getHeader('Set-Cookie') ?? []].flat();
    if (sent.some((line) => String(line).startsWith(`${SESSION_COOKIE}=`))) return;
    ctx.append('Set-Cookie', lines);
    // caches between here and the browser must not keep the cookies
    if (String(ctx.res.getHeader('Cache-Control')).startsWith('public')) ctx.set('Cache-Control', 'private, no-cache');
  };
};

/** A sign-in, or a consent to post, that began in this browser. Each has its own state, so several may wait at once. */
export interface Attempt {
  state: string;
  verifier: string;
  isForPosting: boolean;
  returnTo: string;
  /** X came back with it, so it leads to `returnTo` and does nothing else. */
  isOver: boolean;
}

interface SessionData {
  kind?: SessionKind;
  userId?: string | null;
  attempts?: Attempt[];
  /** The newest attempt, as Grant keeps it; replicas of the previous release know no other. */
  grant?: { provider?: string; override?: string; state?: string; code_verifier?: string };
  returnTo?: string;
}

interface LiveSession extends SessionData {
  regenerate(): Promise<void>;
}

export interface SessionContext extends Context {
  get session(): LiveSession;
  set session(data: SessionData | null);
}

type StoreOptions = { ctx: Context };

/** The ids that requests sent with a valid signature, also those of sessions that are over. */
const sentSids = new WeakMap<Context, string>();

/** koa-session's store. Only updates rows that were loaded, so that an ended session stays ended. */
function createStore({ db, config }: AppContext) {
  const known = new WeakMap<Context, string>();
  return {
    async get(sid: string, _maxAge: number, { ctx }: StoreOptions) {
      sentSids.set(ctx, sid);
      const row = await findSession(db, hashSid(sid));
      if (!row) return undefined;
      known.set(ctx, sid);
      return { ...row.data, userId: row.user_id, kind: row.kind };
    },
    async set(sid: string, value: SessionData, _maxAge: number, { ctx }: StoreOptions) {
      const { userId = null, kind = 'start', grant, returnTo, attempts } = value;
      const data = { ...(grant && { grant }), ...(returnTo && { returnTo }), ...(attempts?.length && { attempts }) };
      if (known.get(ctx) === sid) return updateSessionData(db, hashSid(sid), data);
      const sent = sentSids.get(ctx);
      const language = config.locales.length > 1 ? readLanguage(ctx.req, config) : null;
      const row = { sid_hash: hashSid(sid), user_id: userId, kind, data, language };
      await insertSession(db, row, sent ? hashSid(sent) : null);
      known.set(ctx, sid);
    },
    async destroy(sid: string, { ctx }: StoreOptions) {
      const sids = new Set([sid, sentSids.get(ctx) ?? sid]);
      await deleteSessions(db, [...sids].map(hashSid), (ctx as SessionContext).session?.userId ?? null);
    },
  };
}

/** koa-session for the few routes that start, change or end a session; it is too slow for the others. */
export function wrapSession(appContext: AppContext, koa: Koa, keys: Keygrip): Middleware {
  const externalKey = {
    get: (ctx: Context) => readSid(ctx, keys)?.sid as string,
    set: (ctx: SessionContext, sid: string) => {
      ctx.cookies.set(SESSION_COOKIE, sid, {
        ...cookieOptions(appContext.config, ctx.session.kind ?? 'start'),
        signed: true,
      });
    },
  };
  const options = {
    ...cookieOptions(appContext.config, 'x'),
    key: SESSION_COOKIE,
    signed: true,
    genid: newSid,
    externalKey,
  };
  return session({ ...options, store: createStore(appContext) } as Parameters<typeof session>[0], koa);
}

export const createSessionWriter = (ctx: SessionContext): SessionWriter => ({
  async start(userId, kind) {
    ctx.session = { userId, kind };
    await ctx.session.regenerate();
  },
  async end() {
    // koa-session would delete a row for a session that the request did not send
    if (sentSids.has(ctx) || ctx.session.userId) ctx.session = null;
  },
});
