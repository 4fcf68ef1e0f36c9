import type { Command } from 'commander';
import type { AppContext } from '../../server/app-context.ts';
import { type FailedPhoto, listFailedPhotos } from '../../server/features/imports/photos-repository.ts';
import { listImports, listRows } from '../../server/features/imports/repository.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, getUser } from '../framework/command.ts';
import { withContext } from '../framework/context.ts';

const PAGE = 500;

/** The photos that could not be fetched, then what was left out before: a page of the database at a time. */
async function* listLacking({ db }: AppContext, id: string) {
  let photos: FailedPhoto[] = [];
  do {
    photos = await listFailedPhotos(db, id, { after: photos.at(-1), limit: PAGE });
    for (const { line, external_id, title, url, failure } of photos)
      yield { line, id: external_id, title, photo: url, why: failure };
  } while (photos.length === PAGE);
  let rows: Awaited<ReturnType<typeof listRows>> = [];
  do {
    rows = await listRows(db, id, { after: rows.at(-1)?.position ?? 0, limit: PAGE });
    for (const { line, external_id, title, notes } of rows)
      for (const why of notes) yield { line, id: external_id, title, photo: '', why };
  } while (rows.length === PAGE);
}

const SHAPE = { fields: ['line', 'id', 'title', 'photo', 'why'] };

export function registerPhotos(noun: Command, cli: Cli): void {
  addCommand(noun, 'photos', {
    summary: "Lists the photos that the ads of a seller's last import lack, each with its row and the reason",
    examples: [
      ['import photos --as @handle', 'what could not be fetched, and what was left out'],
      ['import photos --as @handle -o csv', 'for a spreadsheet'],
    ],
  })
    .requiredOption('--as <user>', 'the seller: an id or @handle')
    .action(({ as }: { as: string }) =>
      withContext(cli, async ({ ctx }) => {
        const user = await getUser(ctx.db, as);
        const [last] = await listImports(ctx.db, user.id);
        await cli.out.rows(SHAPE, last ? listLacking(ctx, last.id) : []);
      }),
    );
}
