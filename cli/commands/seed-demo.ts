import { type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { addLeaf, parseWhole } from '../declare.ts';
import { withApp } from '../with-app.ts';

interface DemoOptions {
  ads: number;
  seed: number;
  yes?: boolean;
}

/** Invented people, ads, pictures, favorites and conversations, for demonstrations and benchmarks. */
export function addDemo(noun: Command, cli: Cli): void {
  addLeaf(noun, 'demo', {
    summary: 'Fills the marketplace with invented people and ads',
    description:
      'Copies them in beside what is there, in one transaction. From 20,000 ads on, nobody can read or post ads until it is done.',
    examples: [
      ['seed demo', '1,000 ads'],
      ['seed demo --ads 1000000 --yes', 'a million, for benchmarks: some minutes'],
    ],
  })
    .addOption(new Option('--ads <n>', 'how many').argParser(parseWhole(1, 5_000_000)).default(1000))
    .addOption(new Option('--seed <n>', 'the same number gives the same ads').argParser(parseWhole(1, 1e9)).default(1))
    .option('-y, --yes', 'go on without asking')
    .action(async ({ ads, seed, yes }: DemoOptions) => {
      await cli.confirm(`Add ${ads.toLocaleString('en-US')} invented ads to this marketplace?`, yes);
      const { seedDemo } = await import('../../seeds/demo/demo.ts');
      const result = await withApp(cli, ({ app }) => seedDemo(app, { ads, seed, onProgress: (step) => cli.say(step) }));
      await cli.out.record({ fields: ['ads', 'sellers', 'firstAdId', 'seconds'] }, { ...result });
    });
}
