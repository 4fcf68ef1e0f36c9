import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addLeaf, addMutationOptions, type MutationOptions } from '../declare.ts';
import { CliError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { getUser } from '../find-user.ts';
import type { Output } from '../output.ts';
import { toJson } from '../output-text.ts';
import { withApp, withWritableApp } from '../with-app.ts';

const addDelete = (noun: Command, cli: Cli): void => {
  addMutationOptions(
    addLeaf(noun, 'delete <user>', {
      summary: 'Deletes a user with profile, ads, pictures, favorites, sessions and X tokens; it cannot be undone',
      description:
        'Their messages stay for the other party, under "Deleted user". On a terminal the name has to be typed.',
      examples: [
        ['user delete @handle', 'asks for the name'],
        ['user delete 10001 --yes --reason "asked by mail"', 'in a script'],
      ],
    }),
    { asks: true },
  ).action(async (who: string, { dryRun, yes, reason }: MutationOptions) => {
    const deleted = await withWritableApp(cli, dryRun, async ({ app, actor }) => {
      const user = await getUser(app.db, who);
      if (user.deleted_at !== null) throw new CliError(EXIT.notFound, `User ${who} is deleted already.`);
      const name = user.username ?? user.display_name;
      await cli.confirmByTyping(`Delete ${name} (id ${user.id}) for ever`, name, yes || dryRun);
      const { deleteUser } = await import('../../server/features/admin/actions-users.ts');
      const { countSellerAds } = await import('../../server/features/users/totals-store.ts');
      const { totalAds } = await countSellerAds(app.db, user.id, true);
      await deleteUser(app, actor, user.id, { reason });
      return { id: user.id, username: user.username, ads: totalAds };
    });
    await cli.out.record({ fields: ['id', 'username', 'ads'] }, deleted);
  });
};

const addExport = (noun: Command, cli: Cli): void => {
  addLeaf(noun, 'export <user>', {
    summary: 'Prints everything stored about a user as one JSON document',
    examples: [['user export @handle --out handle.json', 'into a file that only you can read']],
  })
    .option('--out <file>', 'where to write; - is standard output', '-')
    .action((who: string, { out }: { out: string }) =>
      withApp(cli, async ({ app }) => {
        const user = await getUser(app.db, who);
        const { readExport } = await import('../../server/features/users/export-store.ts');
        const data = await app.db.transaction((trx) => readExport(trx, user.id), { isolationLevel: 'repeatable read' });
        if (!data) throw new CliError(EXIT.notFound, `User ${who} is deleted.`);
        const document = { exportedAt: new Date().toISOString(), site: app.config.publicUrl, ...data };
        const print = (to: Output) => to.raw(`${toJson(document, 2)}\n`);
        await (out === '-' ? print(cli.out) : cli.toFile(out, print));
        if (out !== '-') cli.say(`Everything about ${who} is in ${out}.`);
      }),
    );
};

/** user delete, user export. */
export function addRemoval(noun: Command, cli: Cli): void {
  addDelete(noun, cli);
  addExport(noun, cli);
}
