import { Command, Option } from 'commander';
import { COMMAND_GROUPS } from './command-groups.ts';
import { type Cli, createCli } from './framework/cli.ts';
import type { CliEnvironment } from './framework/environment.ts';
import { usageError } from './framework/errors.ts';
import { FIRST_HELP, LAST_HELP, TOPICS } from './framework/help.ts';
import { FORMATS } from './framework/output.ts';

const splitFields = (value: string): string[] => value.split(',').map((field) => field.trim());

const addGlobalOptions = (program: Command, env: CliEnvironment['env']): Command =>
  program
    .addOption(
      new Option('-o, --output <format>', 'how to print data')
        .choices(FORMATS)
        .default(FORMATS.find((format) => format === env.MARKETCTL_OUTPUT) ?? 'table'),
    )
    .option('--fields <names>', 'these fields only, separated by commas', splitFields)
    .option('--no-headers', 'no line of field names')
    .option('-q, --quiet', 'ids only on stdout, no words on stderr')
    .option('--no-input', 'ask nothing')
    .option('--no-color', 'no colours')
    .option('--env-file <file>', 'read variables from this file; those that are set already stay')
    .option('--database-url-file <file>', 'read the address of the database from this file')
    .option('-v, --verbose', 'say more on stderr');

const addNouns = (program: Command): void => {
  for (const { name, summary, group } of COMMAND_GROUPS)
    program.command(name).summary(summary).description(summary).helpGroup(group);
};

/** Reads the noun's file and adds its commands; a noun of a single command becomes that command. */
const createLoader = (program: Command, cli: Cli) => {
  const loaded = new Set<Command>();
  const loadNoun = async (noun: Command): Promise<void> => {
    const found = COMMAND_GROUPS.find(({ name }) => name === noun.name());
    if (!found || loaded.has(noun)) return;
    loaded.add(noun);
    (await found.load()).register(noun, cli, loadWholeTree);
  };
  const loadWholeTree = () => Promise.all(program.commands.map(loadNoun));
  return { loadNoun, loadWholeTree };
};
type LoadNoun = (noun: Command) => Promise<void>;

const findCommand = async (program: Command, loadNoun: LoadNoun, path: readonly string[]): Promise<Command> => {
  let command = program;
  for (const word of path) {
    const next = command.commands.find((c) => c.name() === word || c.aliases().includes(word));
    if (!next) throw usageError(`There is no command or topic "${path.join(' ')}".`, 'marketctl help lists them.');
    await loadNoun(next);
    command = next;
  }
  return command;
};

const addHelp = (program: Command, cli: Cli, loadNoun: LoadNoun): void => {
  program.helpCommand(false);
  program
    .command('help [command...]')
    .summary('help on a command or a topic')
    .helpGroup('Running it:')
    .action(async (path: string[]) => {
      const topic = path.length === 1 ? TOPICS[path[0]!] : undefined;
      await cli.out.raw(topic ?? (await findCommand(program, loadNoun, path)).helpInformation());
    });
};

/** The command tree: nouns at first, their commands when one is chosen. */
export function createProgram(around: CliEnvironment) {
  const program = addGlobalOptions(new Command('marketctl'), around.env)
    .description(
      `Runs a marketplace from the terminal. It speaks to PostgreSQL itself: the server may be down.${FIRST_HELP}`,
    )
    .configureOutput({
      writeOut: (text) => void around.stdout.write(text),
      writeErr: (text) => void around.stderr.write(text),
    })
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .exitOverride()
    .showHelpAfterError('(add --help for what it takes)')
    .addHelpText('after', LAST_HELP);
  const cli = createCli(program, around);
  addNouns(program);
  const { loadNoun, loadWholeTree } = createLoader(program, cli);
  addHelp(program, cli, loadNoun);
  program.hook('preSubcommand', (_program, noun) => loadNoun(noun));
  return { program, cli, loadWholeTree };
}
