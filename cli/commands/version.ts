import type { Command } from 'commander';
import type { Cli } from '../framework/cli.ts';
import { readVersion, toVersionLine } from '../framework/version.ts';

export function register(noun: Command, cli: Cli): void {
  noun
    .description('Prints the version of Tradepost and of Node')
    .addHelpText('after', '\nExamples:\n  $ marketctl version\n  $ marketctl version -o json\n')
    .action(async () => {
      const isPlain = cli.isTable() && !cli.isQuiet() && noun.optsWithGlobals().fields === undefined;
      if (isPlain) return cli.out.raw(toVersionLine());
      await cli.out.record({ fields: ['version', 'node'] }, { version: readVersion(), node: process.versions.node });
    });
}
