import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { type Cli, createCli } from './framework/cli.ts';
import type { CliEnvironment } from './framework/environment.ts';
import { EXIT_MEANINGS, usageError } from './framework/errors.ts';
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
    ['search', 'see how far the index of words is, and add synonyms', () => import('./commands/search.ts')],
    ['ad', 'list, approve, reject and delete ads', () => import('./commands/ad.ts')],
    ['import', 'bring in ads from files of other programs', () => import('./commands/import.ts')],
    ['report', 'see what people reported, and decide', () => import('./commands/report.ts')],
    ['notice', 'send a notice to one person or to everyone', () => import('./commands/notice.ts')],
    ['webhook', 'list, add, test and remove webhooks', () => import('./commands/webhook.ts')],
    ['notify', 'send a test notification by mail or push', () => import('./commands/notify.ts')],
    ['mail', 'see what mails look like', () => import('./commands/mail.ts')],
    ['category', 'list, add, move, rename, merge and disable categories', () => import('./commands/category.ts')],
    ['session', 'see and end sessions', () => import('./commands/session.ts')],
    ['token', 'make, list and revoke access tokens of programs', () => import('./commands/token.ts')],
    ['contact', 'read and export what the contact form sent', () => import('./commands/contact.ts')],
    ['settings', 'read and change the settings of the platform', () => import('./commands/settings.ts')],
    ['brand', 'show, change and reset name, words and colour', () => import('./commands/brand.ts')],
    ['page', 'show, change and restore the texts of pages', () => import('./commands/page.ts')],
    ['currency', 'show the currency, and convert all amounts to another', () => import('./commands/currency.ts')],
    ['audit', 'see what staff, operators and users did', () => import('./commands/audit.ts')],
  ],
  [RUNNING]: [
    ['health', 'ask a running server how it is', () => import('./commands/health.ts')],
    ['doctor', 'check everything the marketplace needs', () => import('./commands/doctor.ts')],
    ['config', 'check, print and document the configuration', () => import('./commands/config.ts')],
    ['keys', 'make keys for SESSION_KEYS and TOKEN_ENC_KEY', () => import('./commands/keys.ts')],
    ['db', 'look at the database', () => import('./commands/db.ts')],
    ['migrate', 'bring the schema to this version', () => import('./commands/migrate.ts')],
    ['version', 'print the version', async () => ({ register: addVersion })],
    ['images', 'count, verify, collect and move images', () => import('./commands/images.ts')],
    ['backup', 'create, verify, restore and list backups', () => import('./commands/backup.ts')],
    ['jobs', 'see, run and retry background jobs', () => import('./commands/jobs.ts')],
    ['posting', 'see whether posts go to X, and send them on', () => import('./commands/posting.ts')],
    ['maintenance', 'close the site for a while and open it again', () => import('./commands/maintenance.ts')],
    ['completion', 'print a completion script for your shell', () => import('./commands/completion.ts')],
  ],
};

const addVersion = (noun: Command, cli: Cli): void => {
  noun
    .description('Prints the version of Tradepost and of Node')
    .addHelpText('after', '\nExamples:\n  $ marketctl version\n  $ marketctl version -o json\n')
    .action(async () => {
      const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
      const { node } = process.versions;
      const isPlain = cli.isTable() && !cli.isQuiet() && noun.optsWithGlobals().fields === undefined;
      if (isPlain) return cli.out.raw(`tradepost ${version} (node ${node})\n`);
      await cli.out.record({ fields: ['version', 'node'] }, { version, node });
    });
};

const FIRST_HELP = `

The four things it is known for:
  marketctl seed categories                 put the categories in place
  marketctl admin create root               make an administrator
  marketctl user ban @handle --reason spam  ban a user
  marketctl stats export --bucket day       statistics as CSV`;
const LAST_HELP = `
Help on one command: marketctl help <command>.
Topics, in the same way: exit-codes, output, config, scripting.
`;

const OUTPUT = `Data go to stdout, words to stderr.

  -o table    for people; on a terminal cut to its width (the default)
  -o json     one JSON array, or one object
  -o ndjson   one JSON object a line, as they come
  -o csv      RFC 4180; text that a spreadsheet would take for a formula
              is led by an apostrophe. --bom starts it with a byte order
              mark, which Excel needs to read it as UTF-8; a file of --out
              has one without asking

  --fields a,b   these fields only, in this order;
                 their names are the same in every format
  --no-headers   no line of names in a table or CSV
  -q, --quiet    ids only, one a line, and no words
  --no-color     no colours; so do NO_COLOR and TERM=dumb.
                 FORCE_COLOR=1 turns them on, 0 off.

MARKETCTL_OUTPUT sets the default of -o. A table shows the fewer fields, the
other formats all of them. Control characters in texts are written out
(\\u001b), so that no text steers your terminal.
`;

const CONFIG = `marketctl reads the same variables as the server, from the environment or
--env-file FILE. Every NAME may also be given as NAME_FILE, the path of a file
that holds it.

It needs DATABASE_URL (or --database-url-file FILE) and, for migrations and jobs
behind a transaction pooler, DATABASE_DIRECT_URL. With --database-url-file, the
variables DATABASE_URL, DATABASE_DIRECT_URL and DATABASE_REPLICA_URL do not
count. Images need the IMAGE_STORE variables. Nothing of X or of sessions is
needed. In a checkout without DATABASE_URL it uses the embedded database,
whether the server runs or not.

  marketctl config check   every error at once
  marketctl config print   what is in force, and where it comes from;
                           secrets are left out
  marketctl config docs    all variables, as a document
`;

const SCRIPTING = `Nothing is asked where there is no terminal, or with --no-input: what needs a
yes ends with exit code 7 unless --yes is given. Passwords come from a prompt,
--password-stdin or --password-file, never from the command line.

  Ids of one command are the arguments of the next:
    marketctl user list --search spam -q |
      marketctl user ban - --reason spam --yes
  A command may be run again: what is so already is no error.
  --dry-run does the work in a transaction and rolls it back;
  the output is the same.
  Ctrl-C stops long work where it leaves a consistent state,
  and says which (exit code 130).
  A closed pipe (| head) ends quietly with exit code 0.
`;

const TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': `${EXIT_MEANINGS.map(([code, meaning]) => `${String(code).padStart(3)}  ${meaning}`).join('\n')}\n`,
  output: OUTPUT,
  config: CONFIG,
  scripting: SCRIPTING,
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
    .option('--bom', 'start CSV with a byte order mark, for spreadsheets')
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
