import { type Command, Option } from 'commander';
import { listEffective, toConfigMarkdown, toEnvExample } from '../../server/config/docs.ts';
import { nameUnknownVariables, readConfig } from '../../server/config/load.ts';
import type { ConfigGroup } from '../../server/config/schema.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand } from '../framework/command.ts';

type Program = 'server' | 'cli' | 'migrate';
const NEEDS: Record<Program, readonly ConfigGroup[] | undefined> = {
  server: undefined,
  cli: ['database'],
  migrate: ['database'],
};

const addFor = (leaf: Command): Command =>
  leaf.addOption(
    new Option('--for <program>', 'whose needs to check').choices(['server', 'cli', 'migrate']).default('server'),
  );

export function register(noun: Command, cli: Cli): void {
  addFor(
    addCommand(noun, 'check', {
      summary: 'Checks the configuration and lists every error at once',
      examples: [
        ['config check', 'would the server start with this environment?'],
        ['config check --for migrate --env-file .env', 'would migrations run with this file?'],
      ],
    }),
  ).action(async (options: { for: Program }) => {
    const env = cli.environment();
    for (const warning of nameUnknownVariables(env)) cli.say(`warning: ${warning}`);
    readConfig(env, NEEDS[options.for]);
    cli.say('The configuration is valid.');
  });

  addFor(
    addCommand(noun, 'print', {
      summary: 'Prints what is in force and where it comes from; secrets are hidden',
      examples: [
        ['config print', 'every variable'],
        ['config print -o json', 'for a script'],
      ],
    }),
  ).action(async (options: { for: Program }) => {
    const rows = listEffective(cli.environment(), NEEDS[options.for]);
    await cli.out.rows({ fields: ['name', 'value', 'source', 'group'] }, rows);
  });

  addCommand(noun, 'docs', {
    summary: 'Prints the document of all variables',
    examples: [
      ['config docs >docs/CONFIGURATION.md', 'write the document'],
      ['config docs --format env >.env.example', 'write the sample'],
    ],
  })
    .addOption(
      new Option('--format <format>', 'as a document or as a sample of .env')
        .choices(['markdown', 'env'])
        .default('markdown'),
    )
    .action(async ({ format }: { format: 'markdown' | 'env' }) => {
      await cli.out.raw(format === 'env' ? toEnvExample() : toConfigMarkdown());
    });
}
