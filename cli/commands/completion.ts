import { Argument, type Command } from 'commander';
import type { Cli } from '../framework/cli.ts';
import { SHELLS, type Shell, toCompletion } from '../framework/completion.ts';

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
