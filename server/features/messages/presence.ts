import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/pools.ts';
import type { Logger } from '../../observability/log.ts';
import { deleteDeadStreamServers, deleteStreamServer, recordStreams } from './presence-repository.ts';

const BEAT_MS = 15_000;
const RETRY_MS = 1000;

/** Tells the other processes who has an open event stream here (`hasOpenStream`). */
export interface Presence {
  /** The user's first stream opened. */
  enter(userId: string): void;
  /** The user's last stream closed. */
  leave(userId: string): void;
  close(): Promise<void>;
}

/** Connects and beats only while there is something to tell. A killed process counts for 45 seconds more. */
export function createPresence(db: Db, log: Logger, beatMs = BEAT_MS): Presence {
  const serverId = randomUUID();
  const present = new Set<string>();
  const changed = new Set<string>();
  let isRecording = false;
  let recording: Promise<void> | undefined;
  let beat: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function recordOnce(isBeat: boolean): Promise<void> {
    const users = [...changed];
    changed.clear();
    try {
      const entered = users.filter((id) => present.has(id));
      const left = users.filter((id) => !present.has(id));
      const wasKnown = await recordStreams(db, serverId, { entered, left });
      if (!wasKnown) for (const id of present) changed.add(id);
      if (isBeat) await deleteDeadStreamServers(db);
    } catch (err) {
      log.debug({ err }, 'open streams were not recorded');
      for (const id of users) changed.add(id);
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }

  /** One statement at a time: changes that happen while it runs share the next. */
  async function record(isBeat = false): Promise<void> {
    if (isClosed || isRecording) return;
    isRecording = true;
    await recordOnce(isBeat);
    while (changed.size > 0 && !isClosed) await recordOnce(false);
    isRecording = false;
  }
  const start = (isBeat?: boolean): void => {
    if (!isRecording) recording = record(isBeat);
  };

  function change(userId: string): void {
    changed.add(userId);
    beat ??= setInterval(() => {
      if (present.size > 0) start(true);
    }, beatMs).unref();
    start();
  }

  return {
    enter(userId) {
      present.add(userId);
      change(userId);
    },
    leave(userId) {
      present.delete(userId);
      change(userId);
    },
    async close() {
      isClosed = true;
      clearInterval(beat);
      await recording;
      // if the database is unavailable, the missing heartbeat ends the rows
      if (beat !== undefined) await deleteStreamServer(db, serverId).catch(() => {});
    },
  };
}
