import pg from 'pg';
import { vi } from 'vitest';

interface Statement {
  text: string;
}
type Answered = (...answer: unknown[]) => void;
type Sent = [statement: string | Statement, answered: Answered];

const toWords = (statement: string | Statement): string =>
  (typeof statement === 'string' ? statement : statement.text).trim().split(/\s+/, 2).join(' ').toLowerCase();

/**
 * The statements that the web pool sends during `work`, grouped by round trip. Statements that are sent before the
 * first result of a group arrives belong to the same round trip.
 */
export async function listRoundTrips(work: () => Promise<unknown>): Promise<string[][]> {
  const trips: string[][] = [];
  let unanswered = 0;
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const { application_name: name } = (this as unknown as { connectionParameters: Record<string, string> })
      .connectionParameters;
    if (name !== 'tradepost') return query.apply(this, args) as never;
    const [statement, answered] = args as Sent;
    if (unanswered++ === 0) trips.push([]);
    trips.at(-1)!.push(toWords(statement));
    const count: Answered = (...answer) => {
      unanswered--;
      answered(...answer);
    };
    return query.call(this, statement, count) as never;
  });
  await work();
  vi.restoreAllMocks();
  return trips;
}

/** Repeats `work` if a timer or a new connection sent additional statements. */
export const untilUndisturbed = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 20_000, interval: 50 });
