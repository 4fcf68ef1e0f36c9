import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export function register(noun: Command, cli: Cli): void {
  noun
    .description('Prints the version of Tradepost and of Node')
    .addHelpText('after', '\nExamples:\n  $ marketctl version\n  $ marketctl version -o json\n')
    .action(async () => {
      const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
      await cli.out.record({ fields: ['version', 'node'] }, { version, node: process.versions.node });
    });
}
