#!/usr/bin/env node
import type { CliEnvironment } from './framework/environment.ts';
import { EXIT, type ExitCode } from './framework/errors.ts';
import { toVersionLine } from './framework/version.ts';

const VERSION = new Set(['version', '--version', '-V']);

/** Runs one command line (without node and script) to its end. Never throws; says what went wrong on stderr. */
export async function runMarketctl(args: readonly string[], around: CliEnvironment): Promise<ExitCode> {
  // asked by every script and health check: answered without reading commander, which costs as much as half of node
  if (args.length === 1 && VERSION.has(args[0]!) && !around.env.MARKETCTL_OUTPUT) {
    around.stdout.write(toVersionLine());
    return EXIT.ok;
  }
  const [{ createProgram }, { toCliError }, { escapeLines }] = await Promise.all([
    import('./program.ts'),
    import('./framework/errors.ts'),
    import('./framework/output-format.ts'),
  ]);
  const { program, cli } = createProgram(around);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (thrown) {
    const { exitCode, message, hint } = toCliError(around.signal.aborted ? interrupted(thrown) : thrown);
    if (message) around.stderr.write(`${escapeLines(message)}\n`);
    if (hint) around.stderr.write(`${hint}\n`);
    if (cli.isVerbose() && exitCode === EXIT.unexpected) around.stderr.write(`${(thrown as Error).stack}\n`);
    return exitCode;
  }
}

/** What Ctrl-C broke off was rolled back, unless the command itself says what stands. */
const interrupted = (thrown: unknown): unknown =>
  (thrown as { name?: string }).name === 'CliError'
    ? thrown
    : Object.assign(new Error('Interrupted.'), { name: 'AbortError' });

/**
 * Ctrl-C stops work that takes the signal at its next consistent state; a second one, or any other work, at once: what was
 * not committed is rolled back by the database.
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

/** Runs the command line of this process and ends it. */
export async function runHere(more: Pick<CliEnvironment, 'openDatabase'> = {}): Promise<void> {
  // a reader that has seen enough (| head) is no error
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) =>
      process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.unexpected),
    );
  const { env, stdin, stdout, stderr } = process;
  const around = { env, stdin, stdout, stderr, ...listenForSignals(), ...more };
  process.exitCode = await runMarketctl(process.argv.slice(2), around);
}

if (import.meta.main) await runHere();
