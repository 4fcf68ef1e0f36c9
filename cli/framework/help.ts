import { EXIT_MEANINGS } from './errors.ts';

const FIRST = `The four things it is known for:
  marketctl seed categories                 put the categories in place
  marketctl admin create root               make an administrator
  marketctl user ban @handle --reason spam  ban a user
  marketctl stats export --bucket day       statistics as CSV
`;

export const FIRST_HELP = `\n\n${FIRST.trimEnd()}`;
export const LAST_HELP = `
Help on one command: marketctl help <command>.
Topics, in the same way: exit-codes, output, config, scripting.
`;

const OUTPUT = `Data go to stdout, words to stderr.

  -o table    for people; on a terminal cut to its width (the default)
  -o json     one JSON array, or one object
  -o ndjson   one JSON object a line, as they come
  -o csv      RFC 4180; text that a spreadsheet would take for a formula
              is led by an apostrophe

  --fields a,b   these fields only, in this order;
                 their names are the same in every format
  --no-headers   no line of names in a table or CSV
  -q, --quiet    ids only, one a line, and no words
  --no-color     no colours; so do NO_COLOR and TERM=dumb.
                 FORCE_COLOR turns them on.

MARKETCTL_OUTPUT sets the default of -o. A table shows the fewer fields, the
other formats all of them. Control characters in texts are written out
(\\u001b), so that no text steers your terminal.
`;

const CONFIG = `marketctl reads the same variables as the server, from the environment or
--env-file FILE. Every NAME may also be given as NAME_FILE, the path of a file
that holds it.

It needs DATABASE_URL (or --database-url-file FILE) and, for migrations and jobs
behind a transaction pooler, DATABASE_DIRECT_URL. Pictures need the IMAGE_STORE
variables. Nothing of X or of sessions is needed. In a checkout without
DATABASE_URL it uses the embedded database, whether the server runs or not.

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

export const TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': `${EXIT_MEANINGS.map(([code, meaning]) => `${String(code).padStart(3)}  ${meaning}`).join('\n')}\n`,
  output: OUTPUT,
  config: CONFIG,
  scripting: SCRIPTING,
};
