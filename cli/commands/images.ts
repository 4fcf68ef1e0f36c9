import { type Command, Option } from 'commander';
import { pluralize } from '../../contract/plural.ts';
import { STORE_KINDS, type StoreKind } from '../../server/config/schema.ts';
import { deleteUnusedImages, sweepImageStorage } from '../../server/features/images/files.ts';
import { copyImages, countStoredImages, verifyImages } from '../../server/features/images/maintenance.ts';
import { countUnusedImages } from '../../server/features/images/repository.ts';
import { createImageStore, requireStoreSettings } from '../../server/integrations/storage/create.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions } from '../framework/command.ts';
import { announceDryRun, withContext } from '../framework/context.ts';
import { CliError, EXIT, usageError } from '../framework/errors.ts';
import { clearBeforeEach, startProgress } from '../framework/terminal.ts';

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'stats', {
    summary: 'Counts images and bytes, by variant',
    examples: [['images stats', 'how much there is']],
  }).action(() =>
    withContext(cli, async ({ ctx }) => {
      await cli.out.rows({ fields: ['store', 'variant', 'objects', 'bytes'] }, await countStoredImages(ctx));
    }),
  );

  addCommand(noun, 'verify', {
    summary: 'Reads every image and lists what is missing, damaged or left over',
    description: 'Exit code 1 when an image is missing or damaged. What is left over is for "images gc".',
    examples: [
      ['images verify', 'after a restore'],
      ['images verify -q', 'names only'],
    ],
  }).action(() =>
    withContext(cli, async ({ ctx }) => {
      const progress = startProgress(cli, 'Verifying');
      let broken = 0;
      async function* problems() {
        for await (const problem of verifyImages(ctx, { signal: cli.signal, onProgress: progress.at })) {
          if (problem.problem !== 'left over') broken++;
          yield problem;
        }
      }
      const shape = { fields: ['sha256', 'variant', 'problem'] };
      await cli.out.rows(shape, clearBeforeEach(progress, problems())).finally(progress.end);
      if (broken > 0) throw new CliError(EXIT.unexpected, `${pluralize(broken, 'image')} missing or damaged.`);
      cli.say('Every image is there and whole.');
    }),
  );

  addCommand(noun, 'gc', {
    summary: 'Deletes images that no ad shows, and objects without a row; the server does so by itself every hour',
    examples: [
      ['images gc', 'now'],
      ['images gc --dry-run', 'how many there are'],
    ],
    dryRun: 'delete nothing; count what would go',
  }).action(({ dryRun = false }: MutationOptions) =>
    withContext(cli, async ({ ctx }) => {
      announceDryRun(cli, dryRun);
      const collected = await (dryRun ? countUnusedImages(ctx.db) : deleteUnusedImages(ctx));
      const row = { collected, swept: await sweepImageStorage(ctx, dryRun) };
      await cli.out.record({ fields: ['collected', 'swept'] }, row);
    }),
  );

  addCommand(noun, 'migrate', {
    summary: 'Copies every image from the store in force (IMAGE_STORE) to another',
    description:
      'Nothing is deleted. It may be interrupted and run again: what is there already is skipped. Run it, set IMAGE_STORE on the servers, then run it once more with the old store as --from for what came in between.',
    examples: [
      ['images migrate --to s3 --dry-run', 'how many are to be copied'],
      ['images migrate --to s3', 'out of the database'],
      ['images migrate --from database --to filesystem', 'named both'],
    ],
    dryRun: 'copy nothing; count what would be copied',
  })
    .addOption(new Option('--to <store>', 'where to').choices([...STORE_KINDS]).makeOptionMandatory())
    .addOption(new Option('--from <store>', 'where from; default IMAGE_STORE').choices([...STORE_KINDS]))
    .action(({ to, from, dryRun }: MutationOptions & { to: StoreKind; from?: StoreKind }) =>
      withContext(cli, async ({ ctx, actor }) => {
        for (const kind of [from ?? ctx.imageStore.kind, to]) requireStoreSettings(ctx.config, kind);
        const source = from ? createImageStore(ctx.config, ctx.db, from) : ctx.imageStore;
        if (source.kind === to) throw usageError(`The images are in the ${to} store already.`);
        const target = createImageStore(ctx.config, ctx.db, to);
        const progress = startProgress(cli, announceDryRun(cli, dryRun) ? 'Comparing' : 'Copying');
        const options = { signal: cli.signal, isDryRun: dryRun, onProgress: progress.at };
        const counts = await copyImages(ctx, actor, source, target, options).finally(progress.end);
        await cli.out.record({ fields: ['from', 'to', 'copied', 'skipped'] }, { from: source.kind, to, ...counts });
        if (cli.signal.aborted)
          throw new CliError(EXIT.interrupted, 'Interrupted. What is copied stays; run it again to go on.');
        if (!dryRun) cli.say(`Set IMAGE_STORE=${to} on every server.`);
      }),
    );
}
