import type { Page } from '../../server/db/pagination.ts';
import type { PageOptions } from './arguments.ts';
import type { Cli } from './cli.ts';
import type { Output, Row, RowShape } from './output.ts';

/** Follows the pages; `seen` learns where the next one starts. */
async function* followPages<T>(
  list: (cursor: string | undefined) => Promise<Page<T>>,
  { cursor, all }: PageOptions,
  seen: (next: string | null) => void,
): AsyncIterable<T> {
  for (let at: string | undefined = cursor; ; ) {
    const { rows, nextCursor } = await list(at);
    yield* rows;
    seen(nextCursor);
    if (!all || nextCursor === null) return;
    at = nextCursor;
  }
}

async function* mapAll<T>(rows: AsyncIterable<T>, toRow: (row: T) => Row): AsyncIterable<Row> {
  for await (const row of rows) yield toRow(row);
}

/** Prints one page of a list, or with --all every page as it comes; says where the next one starts. */
export async function printPages<T>(
  cli: Cli,
  shape: RowShape,
  options: PageOptions,
  list: (page: { cursor: string | undefined; limit: number }) => Promise<Page<T>>,
  toRow: (row: T) => Row,
  out: Output = cli.out,
): Promise<void> {
  let next: string | null = null;
  const rows = followPages(
    (cursor) => list({ cursor, limit: options.limit }),
    options,
    (cursor) => {
      next = cursor;
    },
  );
  const count = await out.rows(shape, mapAll(rows, toRow));
  if (count === 0) cli.say('Nothing found.');
  if (next !== null && !options.all) cli.say(`More: add --cursor ${next}, or --all`);
}
