import { Argument, type Command, type Option } from 'commander';
import type { Cli } from '../framework/cli.ts';

interface Word {
  word: string;
  description: string;
}

interface Place {
  path: string;
  command: Command;
}

/** The program, its nouns and their commands. */
const listPlaces = (command: Command, path = ''): Place[] => [
  { path, command },
  ...command.commands.flatMap((c) => listPlaces(c, `${path} ${c.name()}`.trim())),
];

const listSubcommands = (command: Command): Word[] =>
  command.commands.map((c) => ({ word: c.name(), description: c.summary() || c.description() }));

const listValues = (command: Command): string[] =>
  command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const plain = (values: readonly string[]): Word[] => values.map((word) => ({ word, description: '' }));

const toTables = (program: Command) => {
  const toFlags = ({ options }: Command): Word[] =>
    options.map(({ long, description }) => ({ word: long!, description }));
  const places = listPlaces(program);
  const words = places.map(({ path, command }) => ({
    key: path || '.',
    words: [
      ...listSubcommands(command),
      ...plain(listValues(command)),
      ...(command === program ? [] : toFlags(command)),
      ...toFlags(program),
    ],
  }));
  const values = places.flatMap(({ path, command }) =>
    command.options.flatMap(({ long, short, argChoices }) =>
      [long, short].flatMap((flag) =>
        flag && argChoices ? [{ key: `${path} ${flag}`.trim(), words: plain(argChoices) }] : [],
      ),
    ),
  );
  return { words, values };
};

// The words on the line that are no options form the path.
const toBash = (program: Command): string => {
  const { words, values } = toTables(program);
  const lines = (table: typeof words) =>
    table.map(({ key, words: w }) => `  [${quote(key)}]=${quote(w.map(({ word }) => word).join(' '))}`).join('\n');
  return `# bash completion of marketctl: source <(marketctl completion bash)
_marketctl() {
  local path='' word known previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *) [[ -n "\${_marketctl_words["\${path:+$path }$word"]+set}" ]] && path="\${path:+$path }$word" ;;
    esac
  done
  known="\${_marketctl_values["\${path:+$path }$previous"]-\${_marketctl_values["$previous"]-}}"
  [[ -n $known ]] || known="\${_marketctl_words["\${path:-.}"]}"
  COMPREPLY=($(compgen -W "$known" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
declare -gA _marketctl_words=(
${lines(words)}
)
declare -gA _marketctl_values=(
${lines(values)}
)
complete -o default -F _marketctl marketctl
`;
};

const toZsh = (program: Command): string => {
  const { words, values } = toTables(program);
  const toEntry = ({ word, description }: Word) => (description ? `${word}:${description.replaceAll(':', ' ')}` : word);
  const lines = (table: typeof words) =>
    table.map(({ key, words: w }) => `  ${quote(key)} ${quote(w.map(toEntry).join('\n'))}`).join('\n');
  return `#compdef marketctl
# zsh completion of marketctl: source <(marketctl completion zsh)
_marketctl() {
  local place='' word known previous=\${words[CURRENT-1]}
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    (( \${+_marketctl_words[\${place:+$place }$word]} )) && place="\${place:+$place }$word"
  done
  known=\${_marketctl_values[\${place:+$place }$previous]:-\${_marketctl_values[$previous]}}
  local -a described=("\${(@f)\${known:-\${_marketctl_words[\${place:-.}]}}}")
  _describe marketctl described || _files
}
typeset -gA _marketctl_words _marketctl_values
_marketctl_words=(
${lines(words)}
)
_marketctl_values=(
${lines(values)}
)
compdef _marketctl marketctl
`;
};

const toFish = (program: Command): string => {
  const line = (when: string[], what: string, description: string) =>
    `complete -c marketctl${when.length > 0 ? ` -n ${quote(when.join('; and '))}` : ''} ${what}${description ? ` -d ${quote(description)}` : ''}`;
  const flagLine = (when: string[], { long, short, required, optional, argChoices, description }: Option) => {
    const names = `${short ? `-s ${short.slice(1)} ` : ''}-l ${long!.slice(2)}`;
    const value = argChoices ? ` -x -a ${quote(argChoices.join(' '))}` : required || optional ? ' -r' : '';
    return line(when, names + value, description);
  };
  const placeLines = ({ path, command }: Place) => {
    const inside = path.split(' ').flatMap((word) => (word ? [`__fish_seen_subcommand_from ${word}`] : []));
    const subcommands = listSubcommands(command);
    const values = listValues(command);
    const open = [...inside, `not __fish_seen_subcommand_from ${subcommands.map(({ word }) => word).join(' ')}`];
    return [
      ...subcommands.map(({ word, description }) => line(open, `-f -a ${word}`, description)),
      ...(values.length > 0 ? [line(inside, `-f -a ${quote(values.join(' '))}`, '')] : []),
      ...command.options.map((option) => flagLine(inside, option)),
    ];
  };
  const lines = listPlaces(program).flatMap(placeLines);
  return `# fish completion of marketctl: marketctl completion fish | source\n${lines.join('\n')}\n`;
};

const WRITERS = { bash: toBash, zsh: toZsh, fish: toFish };
export const SHELLS = Object.keys(WRITERS) as (keyof typeof WRITERS)[];

export function register(noun: Command, cli: Cli, loadWholeTree: () => Promise<unknown>): void {
  noun
    .description('Prints a completion script for your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', '\nExamples:\n  # in ~/.bashrc\n  $ marketctl completion bash >~/.marketctl-completion\n')
    .action(async (shell: keyof typeof WRITERS) => {
      await loadWholeTree();
      await cli.out.raw(WRITERS[shell](noun.parent!));
    });
}
