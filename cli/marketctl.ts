#!/usr/bin/env node
import type { CliEnvironment } from './framework/environment.ts';
import { CliError, EXIT, type ExitCode, toCliError } from './framework/errors.ts';
import { escapeLines } from './framework/output.ts';
import { createProgram } from './program.ts';

export async function runMarketctl(args: readonly string[], around: CliEnvironment): Promise<ExitCode> {
  const { program, cli } = createProgram(around);
  const isVersion = args.length === 1 && (args[0] === '--version' || args[0] === '-V');
  try {
    await program.parseAsync(isVersion ? ['version'] : args, { from: 'user' });
    return EXIT.ok;
  } catch (thrown) {
    // Ctrl-C rolls back unfinished work, unless the command's own error reports the progress.
    const isInterrupted = around.signal.aborted && !(thrown instanceof CliError);
    const error = isInterrupted ? new CliError(EXIT.interrupted, 'Interrupted.') : toCliError(thrown);
    const { exitCode, message, hint } = error;
    if (message) around.stderr.write(`${escapeLines(message)}\n`);
    if (hint) around.stderr.write(`${hint}\n`);
    if (cli.isVerbose() && exitCode === EXIT.unexpected) around.stderr.write(`${(thrown as Error).stack}\n`);
    return exitCode;
  }
}

/**
 * If a command reads the signal, the first Ctrl-C stops it at its next consistent state, and a second one ends the
 * process. For any other command the first Ctrl-C ends the process: the database rolls back uncommitted changes.
 */
const listenForSignals = (): Pick<CliEnvironment, 'signal' | 'onSignalTaken'> => {
  const controller = new AbortController();
  let isTaken = false;
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (isTaken && !controller.signal.aborted) return controller.abort();
      process.stderr.write('Interrupted; what was not committed is rolled back.\n');
      process.exit(EXIT.interrupted);
    });
  return {
    signal: controller.signal,
    onSignalTaken: () => {
      isTaken = true;
    },
  };
};

export async function runHere(more: Pick<CliEnvironment, 'openDatabase'> = {}): Promise<void> {
  // `| head` closes the pipe early; that is not an error.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) =>
      process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.unexpected),
    );
  const { env, stdin, stdout, stderr } = process;
  const around = { env, stdin, stdout, stderr, ...listenForSignals(), ...more };
  process.exitCode = await runMarketctl(process.argv.slice(2), around);
}

if (import.meta.main) await runHere();
