import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addDryRun, addLeaf, type MutationOptions, parseWhole } from '../declare.ts';
import { type Acting, announceDryRun, withApp } from '../with-app.ts';

interface DemoOptions extends MutationOptions {
  ads: number;
  users?: number;
  seed: number;
}

const SHAPE = { fields: ['ads', 'sellers', 'firstAdId', 'seconds'] };

const load = () => import('../../seeds/demo/demo.ts');

const plan = async (cli: Cli, { app }: Acting, { ads, users }: DemoOptions): Promise<void> => {
  const planned = await (await load()).planDemo(app, { ads, sellers: users });
  announceDryRun(cli, true);
  await cli.out.record(SHAPE, { ...planned });
};

const seed = async (cli: Cli, { app, actor }: Acting, { ads, users, seed, yes, reason }: DemoOptions) => {
  const question = `This is production. Add ${ads.toLocaleString('en-US')} invented ads to it?`;
  await cli.confirm(question, yes || !app.config.isProduction);
  const { recordAudit } = await import('../../server/features/audit/store.ts');
  const onProgress = (step: string) => cli.say(`${step} …`);
  const made = await (await load()).seedDemo(app, { ads, sellers: users, seed, onProgress });
  const details = { ...made, seed, reason };
  await app.db.transaction((trx) => recordAudit(trx, actor, { action: 'seed.demo', details }));
  await cli.out.record(SHAPE, { ...made });
};

/** An invented marketplace, for demonstrations and benchmarks. */
export function addDemo(noun: Command, cli: Cli): void {
  addDryRun(
    addLeaf(noun, 'demo', {
      summary: 'Adds invented people, ads with generated pictures, favorites and conversations',
      description:
        'Copied in beside what is there, in one transaction: Ctrl-C leaves nothing behind but unused pictures, which go within the hour. From 20,000 ads on, nobody can read or post ads until it is done.',
      examples: [
        ['seed demo', '500 ads of 25 people'],
        ['seed demo --ads 100000 --users 5000 --seed 7', 'a large one'],
      ],
    }),
    'add nothing; print how much it would be',
  )
    .option('--ads <n>', 'how many ads', parseWhole(1, 10_000_000), 500)
    .option('--users <n>', 'how many people; default one for 20 ads', parseWhole(1, 1_000_000))
    .option('--seed <n>', 'another number, another marketplace', parseWhole(0, 4_294_967_295), 1)
    .option('--reason <text>', 'why, for the audit log')
    .option('-y, --yes', 'in production, go on without asking')
    .action((options: DemoOptions) =>
      withApp(cli, (acting) => (options.dryRun ? plan(cli, acting, options) : seed(cli, acting, options))),
    );
}
