import type Keygrip from 'keygrip';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import session from 'koa-session';
import type { AppContext } from '../../app-context.ts';
import {
  deleteSession,
  findSession,
  hashSid,
  insertSession,
  type SessionKind,
  updateSessionData,
} from '../../features/auth/session-repository.ts';
import type { SessionWriter } from '../endpoints/define.ts';
import { SESSION_COOKIE } from '../request/request-info.ts';
import { cookieOptions, newSid, readSid } from './cookie.ts';

export interface SessionData {
  kind?: SessionKind;
  userId?: string | null;
  grant?: { provider?: string; override?: string; state?: string; code_verifier?: string };
  returnTo?: string;
}

interface LiveSession extends SessionData {
  isNew: boolean;
  regenerate(): Promise<void>;
}

export interface SessionContext extends Context {
  get session(): LiveSession;
  set session(data: SessionData | null);
}

type StoreOptions = { ctx: Context };

/** koa-session's store. Only updates rows that were loaded, so that an ended session stays ended. */
function createStore({ db }: AppContext) {
  const known = new WeakMap<Context, string>();
  return {
    async get(sid: string, _maxAge: number, { ctx }: StoreOptions) {
      const row = await findSession(db, hashSid(sid));
      if (!row) return undefined;
      known.set(ctx, sid);
      return { ...row.data, userId: row.user_id, kind: row.kind };
    },
    async set(sid: string, value: SessionData, _maxAge: number, { ctx }: StoreOptions) {
      const { userId = null, kind = 'start', grant, returnTo } = value;
      const data = { ...(grant && { grant }), ...(returnTo && { returnTo }) };
      if (known.get(ctx) === sid) return updateSessionData(db, hashSid(sid), data);
      await insertSession(db, { sid_hash: hashSid(sid), user_id: userId, kind, data });
      known.set(ctx, sid);
    },
    async destroy(sid: string) {
      await deleteSession(db, hashSid(sid));
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
    if (!ctx.session.isNew || ctx.session.userId) ctx.session = null;
  },
});
