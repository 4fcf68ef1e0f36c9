import { Argument, type Command, type Option } from 'commander';
import type { Cli } from '../framework/cli.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Word {
  word: string;
  description: string;
}

interface Flag extends Word {
  short: string | undefined;
  takesValue: boolean;
  values: readonly string[];
}

interface Place {
  path: string;
  subcommands: Word[];
  values: readonly string[];
  flags: Flag[];
}

const toFlag = (option: Option): Flag[] =>
  option.long
    ? [
        {
          word: option.long,
          description: option.description,
          short: option.short,
          takesValue: option.required || option.optional,
          values: option.argChoices ?? [],
        },
      ]
    : [];

const toPlace = (command: Command, path: string): Place => ({
  path,
  subcommands: command.commands.map((c) => ({ word: c.name(), description: c.summary() || c.description() })),
  values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  flags: command.options.flatMap(toFlag),
});

const listPlaces = (program: Command): [Place, ...Place[]] => {
  const walk = (command: Command, path: string): Place[] => [
    toPlace(command, path),
    ...command.commands.flatMap((c) => walk(c, `${path} ${c.name()}`.trim())),
  ];
  return [toPlace(program, ''), ...program.commands.flatMap((c) => walk(c, c.name()))];
};

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const plain = (values: readonly string[]): Word[] => values.map((word) => ({ word, description: '' }));

const toTables = ([program, ...places]: [Place, ...Place[]]) => {
  const all = [program, ...places];
  const words = all.map((place) => ({
    key: place.path || '.',
    words: [...place.subcommands, ...plain(place.values), ...(place === program ? [] : place.flags), ...program.flags],
  }));
  const values = all.flatMap(({ path, flags }) =>
    flags.flatMap(({ word, short, values: known }) =>
      known.length === 0
        ? []
        : [word, ...(short ? [short] : [])].map((flag) => ({ key: `${path} ${flag}`.trim(), words: plain(known) })),
    ),
  );
  return { words, values };
};

// The words on the line that are no options form the path.
const toBash = (places: [Place, ...Place[]]): string => {
  const { words, values } = toTables(places);
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

const toZsh = (places: [Place, ...Place[]]): string => {
  const { words, values } = toTables(places);
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

const toFish = ([program, ...places]: [Place, ...Place[]]): string => {
  const line = (when: string[], what: string, description: string) =>
    `complete -c marketctl${when.length > 0 ? ` -n ${quote(when.join('; and '))}` : ''} ${what}${description ? ` -d ${quote(description)}` : ''}`;
  const flagLine = (when: string[], { word, short, takesValue, values, description }: Flag) => {
    const names = `${short ? `-s ${short.slice(1)} ` : ''}-l ${word.slice(2)}`;
    const value = values.length > 0 ? ` -x -a ${quote(values.join(' '))}` : takesValue ? ' -r' : '';
    return line(when, names + value, description);
  };
  const placeLines = ({ path, subcommands, values, flags }: Place) => {
    const here = path.split(' ').map((word) => (word ? `__fish_seen_subcommand_from ${word}` : ''));
    const inside = here.filter(Boolean);
    const open = [...inside, `not __fish_seen_subcommand_from ${subcommands.map(({ word }) => word).join(' ')}`];
    return [
      ...subcommands.map(({ word, description }) => line(open, `-f -a ${word}`, description)),
      ...(values.length > 0 ? [line(inside, `-f -a ${quote(values.join(' '))}`, '')] : []),
      ...flags.map((flag) => flagLine(inside, flag)),
    ];
  };
  const lines = [program, ...places].flatMap(placeLines);
  return `# fish completion of marketctl: marketctl completion fish | source\n${lines.join('\n')}\n`;
};

export const toCompletion = (program: Command, shell: Shell): string => {
  const places = listPlaces(program);
  return { bash: toBash, zsh: toZsh, fish: toFish }[shell](places);
};

export function register(noun: Command, cli: Cli, loadWholeTree: () => Promise<unknown>): void {
  noun
    .description('Prints a completion script for your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', '\nExamples:\n  # in ~/.bashrc\n  $ marketctl completion bash >~/.marketctl-completion\n')
    .action(async (shell: Shell) => {
      await loadWholeTree();
      await cli.out.raw(toCompletion(noun.parent!, shell));
    });
}
