import type { AppContext } from '../../app-context.ts';
import { listAnsweringSellers, updateAnswerTimes } from './answer-times-repository.ts';

const BATCH = 500;

/** Computes how long sellers usually take to answer a first message. Runs each night. */
export const timeAnswers = async ({ db }: AppContext, signal: AbortSignal): Promise<void> => {
  const sellers = await listAnsweringSellers(db);
  for (let start = 0; start < sellers.length && !signal.aborted; start += BATCH)
    await updateAnswerTimes(db, sellers.slice(start, start + BATCH));
};
