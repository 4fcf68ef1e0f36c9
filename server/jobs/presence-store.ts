import type pg from 'pg';

/** A process that works on the queue, by the name under which it locks its jobs. */
export interface QueueWorker {
  id: string;
  /** Goes up while it lives. */
  beats: string;
}

type Connection = Pick<pg.Pool, 'query'>;

/** Says that the worker lives. */
export const beat = (connection: Connection, id: string): Promise<unknown> =>
  connection.query(
    'insert into queue_workers as w (id) values ($1) on conflict (id) do update set beats = w.beats + 1',
    [id],
  );

/** Enters whoever holds a job among the workers: one that was killed before it could say that it lives is unknown. */
export const enterHolders = (connection: Connection): Promise<unknown> =>
  // in one order: several who look at once must not wait for each other in a circle
  connection.query(
    `insert into queue_workers (id)
       select distinct locked_by from graphile_worker.jobs where locked_by is not null order by locked_by
     on conflict do nothing`,
  );

export const listWorkers = async (connection: Connection): Promise<QueueWorker[]> =>
  (await connection.query<QueueWorker>('select id, beats::text from queue_workers')).rows;
