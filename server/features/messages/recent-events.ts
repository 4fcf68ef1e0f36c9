import type { EventPayloads } from '../../db/events.ts';

type Event = EventPayloads['messages'];

const KEPT_MS = 10_000;
const MAX_KEPT = 5000;

/**
 * The events of the last seconds. A page reads its data before its stream is open; what changes in between reaches it
 * from here, so that it need not read twice.
 */
export function createRecentEvents() {
  let kept: { at: number; event: Event }[] = [];
  /** No event since then is missing. */
  let completeSince = Infinity;

  return {
    /** Events may have been missed until `at`. */
    restart(at: number): void {
      kept = [];
      completeSince = at;
    },
    add(event: Event): void {
      const now = Date.now();
      kept.push({ at: now, event });
      const outdated = kept.findIndex(({ at }) => at > now - KEPT_MS);
      const removed = kept.splice(0, Math.max(outdated, kept.length - MAX_KEPT));
      completeSince = Math.max(completeSince, removed.at(-1)?.at ?? 0);
    },
    /** For how many milliseconds `list` is complete. */
    getCaughtUpMs: (): number => Math.max(0, Math.min(KEPT_MS, Date.now() - completeSince)),
    list: (userId: string): Event[] =>
      kept
        .filter(({ at }) => at > Date.now() - KEPT_MS)
        .flatMap(({ event }) => (event.receiverId === userId || event.senderId === userId ? [event] : [])),
  };
}
