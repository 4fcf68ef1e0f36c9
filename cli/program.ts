import { Command, Option } from 'commander';
import { type Cli, type CliEnvironment, createCli } from './framework/cli.ts';
import { usageError } from './framework/errors.ts';
import { FIRST_HELP, LAST_HELP, TOPICS } from './framework/help.ts';
import { FORMATS } from './framework/output.ts';

interface CommandModule {
  register(noun: Command, cli: Cli, loadWholeTree: () => Promise<unknown>): void;
}

type Noun = readonly [name: string, summary: string, load: () => Promise<CommandModule>];

const RUNNING = 'Running it:';

/** The first level of the command tree, by heading of the help. A noun's file is loaded only when it is needed. */
const NOUNS: Readonly<Record<string, readonly Noun[]>> = {
  'Most used:': [
    ['seed', 'put categories or a demo marketplace in place', () => import('./commands/seed.ts')],
    ['admin', 'make and manage administrators', () => import('./commands/admin.ts')],
    ['user', 'list, ban, grant, delete and export users', () => import('./commands/user.ts')],
    ['stats', 'show and export statistics', () => import('./commands/stats.ts')],
  ],
  'The marketplace:': [
    ['ad', 'list, approve, reject and delete ads', () => import('./commands/ad.ts')],
    ['category', 'list, add, rename, merge and disable categories', () => import('./commands/category.ts')],
    ['session', 'see and end sessions', () => import('./commands/session.ts')],
    ['contact', 'read and export what the contact form sent', () => import('./commands/contact.ts')],
    ['settings', 'read and change the settings of the platform', () => import('./commands/settings.ts')],
    ['audit', 'see what administrators and operators did', () => import('./commands/audit.ts')],
  ],
  [RUNNING]: [
    ['health', 'ask a running server how it is', () => import('./commands/health.ts')],
    ['doctor', 'check everything the marketplace needs', () => import('./commands/doctor.ts')],
    ['config', 'check, print and document the configuration', () => import('./commands/config.ts')],
    ['keys', 'make keys for SESSION_KEYS and TOKEN_ENC_KEY', () => import('./commands/keys.ts')],
    ['db', 'look at the database', () => import('./commands/db.ts')],
    ['migrate', 'bring the schema to this version', () => import('./commands/migrate.ts')],
    ['version', 'print the version', () => import('./commands/version.ts')],
    ['images', 'count, verify, collect and move pictures', () => import('./commands/images.ts')],
    ['backup', 'create, verify, restore and list backups', () => import('./commands/backup.ts')],
    ['jobs', 'see, run and retry background jobs', () => import('./commands/jobs.ts')],
    ['posting', 'see whether posts go to X, and send them on', () => import('./commands/posting.ts')],
    ['maintenance', 'close the site for a while and open it again', () => import('./commands/maintenance.ts')],
    ['completion', 'print a completion script for your shell', () => import('./commands/completion.ts')],
  ],
};

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

/** Creates the command tree and loads the commands of the chosen noun. A noun with one command is that command. */
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
    .addHelpText('after', LAST_HELP)
    .helpCommand(false);
  const cli = createCli(program, around);

  const loaders = new Map<Command, Noun[2]>();
  for (const [heading, nouns] of Object.entries(NOUNS))
    for (const [name, summary, load] of nouns)
      loaders.set(program.command(name).summary(summary).description(summary).helpGroup(heading), load);

  const loadNoun = async (noun: Command): Promise<void> => {
    const load = loaders.get(noun);
    loaders.delete(noun);
    (await load?.())?.register(noun, cli, loadWholeTree);
  };
  const loadWholeTree = () => Promise.all(program.commands.map(loadNoun));
  program.hook('preSubcommand', (_program, noun) => loadNoun(noun));

  const findCommand = async (path: readonly string[]): Promise<Command> => {
    let command = program;
    for (const word of path) {
      const next = command.commands.find((c) => c.name() === word || c.aliases().includes(word));
      if (!next) throw usageError(`There is no command or topic "${path.join(' ')}".`, 'marketctl help lists them.');
      await loadNoun(next);
      command = next;
    }
    return command;
  };
  program
    .command('help [command...]')
    .summary('help on a command or a topic')
    .helpGroup(RUNNING)
    .action(async (path: string[]) => {
      const topic = path.length === 1 ? TOPICS[path[0]!] : undefined;
      await cli.out.raw(topic ?? (await findCommand(path)).helpInformation());
    });
  return { program, cli, loadWholeTree };
}
