import { createHash } from 'node:crypto';
import type { Db } from '../../db/connect.ts';
import type { Logger } from '../../log.ts';
import { type Actor, isSelf } from '../../policy.ts';
import { addViews, type View } from './views-store.ts';

/** What a request tells about who looks. */
export interface Viewer {
  ip: string;
  userAgent: string;
  isPrefetch: boolean;
}

export interface ViewCounter {
  /** Remembers a view, to be written within seconds. Never waits and never fails. */
  count(actor: Actor, ad: { id: string; user_id: string }, viewer: Viewer): void;
  /** Writes what is remembered. A failed batch is tried again with the next. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 1000;
/** Beyond this many between two writes, views are not counted: memory has an end. */
const MAX_PENDING = 20_000;

// Search engines, link previews and tools: they fetch, they do not look.
const ROBOT =
  /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|embed|fetch|monitor|curl|wget|python|httpclient|headlesschrome|lighthouse/i;

export const isRobot = (userAgent: string): boolean => userAgent === '' || ROBOT.test(userAgent);

/** A person when signed in, else address and browser; hashed with the secret and the day, so that days cannot be linked. */
const hashViewer = (secret: string, day: string, actor: Actor, { ip, userAgent }: Viewer): Buffer => {
  const who = actor.kind === 'user' ? `user ${actor.id}` : `${ip} ${userAgent}`;
  return createHash('sha256').update(`${secret}\n${day}\n${who}`).digest().subarray(0, 16);
};

/**
 * Counts an ad's views once per viewer and day; its owner's and robots' not at all. Views are gathered in memory and
 * written in batches to a narrow table: one by one on the ad's row they cost 40 times as much (docs/PERFORMANCE.md).
 */
export function openViewCounter(db: Db, log: Logger, secret: string, now: () => Date): ViewCounter {
  const pending = new Map<string, View>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    timer = undefined;
    const batch = [...pending];
    if (batch.length === 0) return;
    pending.clear();
    try {
      await addViews(
        db,
        batch.map(([, view]) => view),
      );
    } catch (error) {
      log.warn({ err: error }, 'views could not be written');
      for (const [key, view] of batch) if (pending.size < MAX_PENDING) pending.set(key, view);
    }
  }
  const flush = () => (flushing = flushing.then(write));

  return {
    count(actor, ad, viewer) {
      if (viewer.isPrefetch || isSelf(actor, ad.user_id) || isRobot(viewer.userAgent)) return;
      if (pending.size >= MAX_PENDING) return;
      const day = now().toISOString().slice(0, 10);
      const hash = hashViewer(secret, day, actor, viewer);
      pending.set(`${ad.id} ${hash.toString('base64')}`, { day, adId: ad.id, viewer: hash });
      timer ??= setTimeout(flush, FLUSH_MS);
      timer.unref();
    },
    flush,
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}
