import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Word {
  word: string;
  description: string;
}

/** What may follow a path of commands: subcommands and options. */
interface Place {
  path: string;
  words: Word[];
}

const visible = (command: Command): Word[] =>
  command.commands.map((c) => ({ word: c.name(), description: c.summary() || c.description() }));

const optionsOf = (command: Command): Word[] =>
  command.options.flatMap((o) => (o.long ? [{ word: o.long, description: o.description }] : []));

const listPlaces = (program: Command): Place[] => {
  const globals = optionsOf(program);
  const walk = (command: Command, path: string): Place[] => [
    { path, words: [...visible(command), ...(command === program ? [] : optionsOf(command)), ...globals] },
    ...command.commands.flatMap((c) => walk(c, `${path} ${c.name()}`.trim())),
  ];
  return walk(program, '');
};

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

// Words on the line that are no options make the path, as deep as the tree goes.
const toBash = (places: Place[]): string => `# bash completion of marketctl: source <(marketctl completion bash)
_marketctl() {
  local path='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *) [[ -n "\${_marketctl_words["\${path:+$path }$word"]+set}" ]] && path="\${path:+$path }$word" ;;
    esac
  done
  COMPREPLY=($(compgen -W "\${_marketctl_words["\${path:-.}"]}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
declare -gA _marketctl_words=(
${places.map(({ path, words }) => `  [${quote(path || '.')}]=${quote(words.map((w) => w.word).join(' '))}`).join('\n')}
)
complete -o default -F _marketctl marketctl
`;

const toZsh = (places: Place[]): string => `#compdef marketctl
# zsh completion of marketctl: source <(marketctl completion zsh)
_marketctl() {
  local place='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    (( \${+_marketctl_words[\${place:+$place }$word]} )) && place="\${place:+$place }$word"
  done
  local -a described=("\${(@f)_marketctl_words[\${place:-.}]}")
  _describe marketctl described || _files
}
typeset -gA _marketctl_words
_marketctl_words=(
${places
  .map(
    ({ path, words }) =>
      `  ${quote(path || '.')} ${quote(words.map((w) => `${w.word}:${w.description.replaceAll(':', ' ')}`).join('\n'))}`,
  )
  .join('\n')}
)
compdef _marketctl marketctl
`;

const toFish = (places: Place[]): string => {
  const lines = places.flatMap(({ path, words }) => {
    const depth = path === '' ? [] : path.split(' ');
    const when = depth.map((word) => `__fish_seen_subcommand_from ${word}`);
    const subcommands = words.filter((w) => !w.word.startsWith('-')).map((w) => w.word);
    if (subcommands.length > 0) when.push(`not __fish_seen_subcommand_from ${subcommands.join(' ')}`);
    const condition = when.length > 0 ? ` -n ${quote(when.join('; and '))}` : '';
    return words.map(({ word, description }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c marketctl${condition} ${what} -d ${quote(description)}`;
    });
  });
  return `# fish completion of marketctl: marketctl completion fish | source\n${lines.join('\n')}\n`;
};

/** A shell's completion script, made from the whole command tree. */
export const toCompletion = (program: Command, shell: Shell): string => {
  const places = listPlaces(program);
  return { bash: toBash, zsh: toZsh, fish: toFish }[shell](places);
};
