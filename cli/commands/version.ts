import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Cli } from '../framework/cli.ts';

const PACKAGE = new URL('../../package.json', import.meta.url);

export function register(noun: Command, cli: Cli): void {
  noun
    .description('Prints the version of Tradepost and of Node')
    .addHelpText('after', '\nExamples:\n  $ marketctl version\n  $ marketctl version -o json\n')
    .action(async () => {
      const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
      const { node } = process.versions;
      const isPlain = cli.isTable() && !cli.isQuiet() && noun.optsWithGlobals().fields === undefined;
      if (isPlain) return cli.out.raw(`tradepost ${version} (node ${node})\n`);
      await cli.out.record({ fields: ['version', 'node'] }, { version, node });
    });
}
