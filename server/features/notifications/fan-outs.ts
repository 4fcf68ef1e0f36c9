import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { enqueueAll } from '../../jobs/queue.ts';
import { lockPresentUsers } from '../users/repository.ts';
import { TO_EVERYONE } from './delivery.ts';
import {
  deleteFanOut,
  type FanOutKey,
  type FanOutKind,
  type FanOutProgress,
  findFanOut,
  insertFanOut,
  listFanOuts,
  lockFanOut,
  setFanOutProgress,
} from './fan-outs-repository.ts';
import { insertForMany, type SharedNotification } from './repository.ts';

/** One notification for many people, who are notified in batches. */
export interface FanOut {
  kind: FanOutKind;
  /**
   * Takes what waits for this subject, and locks it against concurrent runs. Returns `begun`, or when the next fan-out may
   * begin; undefined if nothing waits. The progress of a fan-out that a replica of the previous release began.
   */
  begin: (trx: Trx, subjectId: string) => Promise<'begun' | FanOutProgress | Date | undefined>;
  /** The user whose action it is about. */
  findSource: (trx: Trx, subjectId: string) => Promise<string | undefined>;
  /** The next receivers, in order of id. */
  list: (trx: Trx, subjectId: string, progress: FanOutProgress, limit: number) => Promise<string[]>;
  /** What they get, as of now; undefined ends the fan-out. */
  build: (trx: Trx, subjectId: string) => Promise<SharedNotification | undefined>;
  finish: (trx: Trx, subjectId: string, hasNotified: boolean) => Promise<void>;
}

export interface DueFanOut {
  subjectId: string;
  /** Absent: now. */
  dueAt?: Date;
}

export const enqueueFanOuts = (trx: Trx, kind: FanOutKind, due: readonly DueFanOut[]): Promise<void> =>
  enqueueAll(
    trx,
    'fan-out',
    due.map(({ subjectId, dueAt }) => ({
      payload: { kind, subjectId },
      key: `fan-out ${kind} ${subjectId}`,
      ...(dueAt && { runAt: dueAt }),
      ...(kind === 'notice' && { priority: TO_EVERYONE }),
    })),
  );

/** Enqueues the running fan-outs after a restore: a backup contains no jobs. */
export const resumeFanOuts = async (trx: Trx): Promise<void> => {
  for (const { kind, subjectId } of await listFanOuts(trx)) await enqueueFanOuts(trx, kind, [{ subjectId }]);
};

const BATCH = 500;

/** Returns whether a fan-out of this subject runs now. If it has to wait, the job runs again at that time. */
const begin = async (trx: Trx, fanOut: FanOut, key: FanOutKey): Promise<boolean> => {
  if (await findFanOut(trx, key)) return true;
  const state = await fanOut.begin(trx, key.subjectId);
  if (state === undefined) return false;
  if (state instanceof Date) {
    await enqueueFanOuts(trx, key.kind, [{ subjectId: key.subjectId, dueAt: state }]);
    return false;
  }
  await insertFanOut(trx, key, state === 'begun' ? undefined : state);
  return true;
};

/**
 * Notifies the next receivers. Returns false when the fan-out has ended. Locks users before the fan-out, as deletions do;
 * if a concurrent run came first, the next call continues after it.
 */
const notifyBatch = async (trx: Trx, fanOut: FanOut, key: FanOutKey): Promise<boolean> => {
  const progress = await findFanOut(trx, key);
  if (progress === undefined) return false;
  const receivers = await fanOut.list(trx, key.subjectId, progress, BATCH);
  const source = await fanOut.findSource(trx, key.subjectId);
  const present = new Set(await lockPresentUsers(trx, source === undefined ? receivers : [...receivers, source]));
  if (!(await lockFanOut(trx, key, progress.delivered_to))) return true;
  const notification = await fanOut.build(trx, key.subjectId);
  if (notification !== undefined) {
    const others = receivers.filter((id) => present.has(id) && id !== source);
    await insertForMany(trx, others, { ...notification, ...(source !== undefined && { sourceUserId: source }) });
    if (receivers.length === BATCH) {
      await setFanOutProgress(trx, key, receivers.at(-1)!);
      return true;
    }
  }
  await deleteFanOut(trx, key);
  const hasNotified = progress.delivered_to !== '0' || (notification !== undefined && receivers.length > 0);
  await fanOut.finish(trx, key.subjectId, hasNotified);
  return false;
};

/** Notifies the receivers of a subject in short transactions. An interrupted fan-out continues where it stopped. */
export const runFanOut = async ({ db }: Pick<AppContext, 'db'>, fanOut: FanOut, subjectId: string): Promise<void> => {
  const key = { kind: fanOut.kind, subjectId };
  while (await inTransaction(db, (trx) => begin(trx, fanOut, key)))
    while (await inTransaction(db, (trx) => notifyBatch(trx, fanOut, key)));
};
