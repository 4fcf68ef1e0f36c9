import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../framework/cli.ts';
import { CliError, EXIT, type ExitCode } from '../framework/errors.ts';
import { CHECK_NAMES, type CheckName, type CheckResult, runChecks } from './doctor-checks.ts';

const parseOnly = (value: string): CheckName[] => {
  const names = value.split(',');
  const unknown = names.filter((name) => !CHECK_NAMES.includes(name as CheckName));
  if (unknown.length > 0) throw new InvalidArgumentError(`Checks: ${CHECK_NAMES.join(', ')}.`);
  return names as CheckName[];
};

const CODES: Partial<Record<CheckName, ExitCode>> = {
  config: EXIT.config,
  database: EXIT.unreachable,
  images: EXIT.unreachable,
  schema: EXIT.schema,
};

/** The first failure decides; what comes after it often follows from it. */
const codeOf = (failed: CheckResult): ExitCode => CODES[failed.check] ?? EXIT.unexpected;

export function register(noun: Command, cli: Cli): void {
  noun
    .description(
      'Checks configuration, database, schema, categories, administrators, image store, jobs and clock, and says what to do. Exit code 3, 4, 8 or 1 by the first failure; warnings are no failure.',
    )
    .option('--only <checks>', `these only, separated by commas: ${CHECK_NAMES.join(', ')}`, parseOnly)
    .addHelpText(
      'after',
      '\nExamples:\n  $ marketctl doctor\n  # for a script\n  $ marketctl doctor -o json --only database,schema\n',
    )
    .action(async ({ only }: { only?: CheckName[] }) => {
      const results = await runChecks(cli, only ?? CHECK_NAMES);
      await cli.out.rows(
        { fields: ['check', 'status', 'detail', 'advice'] },
        results.map((result) => ({ ...result })),
      );
      const failed = results.filter(({ status }) => status === 'fail');
      if (failed.length > 0)
        throw new CliError(codeOf(failed[0]!), `${failed.length} of ${results.length} checks failed.`);
      cli.say('Nothing is wrong.');
    });
}
