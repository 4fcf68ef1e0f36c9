import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addLeaf, parseWhole } from '../declare.ts';
import { withApp } from '../with-app.ts';

interface DemoOptions {
  ads: number;
  users?: number;
  seed: number;
  yes?: boolean;
}

/** An invented marketplace, for demonstrations and benchmarks. */
export function addDemo(noun: Command, cli: Cli): void {
  addLeaf(noun, 'demo', {
    summary: 'Adds invented people, ads with generated pictures, favorites and conversations',
    description:
      'Copied in beside what is there, in one transaction: Ctrl-C leaves nothing behind. From 20,000 ads on, nobody can read or post ads until it is done.',
    examples: [
      ['seed demo', '500 ads of 50 people'],
      ['seed demo --ads 100000 --users 5000 --seed 7', 'a large one'],
    ],
  })
    .option('--ads <n>', 'how many ads', parseWhole(1, 10_000_000), 500)
    .option('--users <n>', 'how many people; default one for 20 ads', parseWhole(1, 1_000_000))
    .option('--seed <n>', 'another number, another marketplace', parseWhole(0, 4_294_967_295), 1)
    .option('-y, --yes', 'in production, go on without asking')
    .action(({ ads, users: sellers, seed, yes }: DemoOptions) =>
      withApp(cli, async ({ app, actor }) => {
        const question = `This is production. Add ${ads.toLocaleString('en-US')} invented ads to it?`;
        await cli.confirm(question, yes || !app.config.isProduction);
        const { seedDemo } = await import('../../seeds/demo/demo.ts');
        const { recordAudit } = await import('../../server/features/audit/store.ts');
        const onProgress = (step: string) => cli.say(`${step} …`);
        const made = await seedDemo(app, { ads, sellers, seed, onProgress });
        await app.db.transaction((trx) => recordAudit(trx, actor, { action: 'seed.demo', details: { ...made, seed } }));
        await cli.out.record({ fields: ['ads', 'sellers', 'firstAdId', 'seconds'] }, { ...made });
      }),
    );
}
