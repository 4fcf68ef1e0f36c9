import type { AppContext } from '../../server/app-context.ts';
import { listRows, type RowDetails } from '../../server/features/imports/repository.ts';
import type { Cli } from '../framework/cli.ts';

/** The wrong rows, a page at a time: a file may have any number. */
async function* listMistakes(ctx: AppContext, ids: readonly string[]) {
  for (const id of ids) {
    for (let after = 0; ; ) {
      const rows = await listRows(ctx.db, id, { kind: 'wrong', after, limit: 500 });
      for (const row of rows) yield* toMistakes(row);
      const last = rows.at(-1);
      if (!last) break;
      after = last.position;
    }
  }
}

const toMistakes = ({ line, external_id, title, problems }: RowDetails) =>
  problems.map(({ column, what, how }) => ({ line, id: external_id, title, column, what, how }));

const MISTAKE = { fields: ['line', 'column', 'what', 'how', 'id', 'title'], format: 'csv' as const };
const SHOWN = 20;

interface Shown {
  /** All go into this file. */
  file: string | undefined;
  /** How a person finds the row. */
  toPlace: (row: { line: number; id: string }) => string;
}

/** Names the rows of imports that are wrong: the first ones on the terminal. */
export const showMistakes = async (
  cli: Cli,
  ctx: AppContext,
  ids: readonly string[],
  { file, toPlace }: Shown,
): Promise<void> => {
  if (file !== undefined) await cli.to(file, (out) => out.rows(MISTAKE, listMistakes(ctx, ids)));
  let shown = 0;
  for await (const { line, id, column, what, how } of listMistakes(ctx, ids)) {
    if (shown++ === SHOWN) break;
    cli.say(`${toPlace({ line, id })}${column && `, ${column}`}: ${what}. ${how}`);
  }
  if (shown > SHOWN) cli.say(`… and more. ${file ? `${file} has all` : 'All of them: add --errors FILE'}.`);
};
