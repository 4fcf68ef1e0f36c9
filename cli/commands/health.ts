import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../framework/cli.ts';
import { parseDuration } from '../framework/command.ts';
import { CliError, EXIT } from '../framework/errors.ts';

interface HealthOptions {
  live?: boolean;
  ready?: boolean;
  url?: string;
  timeout: number;
}

const parseUrl = (value: string): string => {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new InvalidArgumentError('Use an http(s) address.');
  return value.replace(/(?<!\/)\/+$/, '');
};

const AWAY_HINT = 'Does the server run? PORT or --url say where it listens.';

const askServer = async (
  url: string,
  timeout: number,
  signal: AbortSignal,
): Promise<{ isOk: boolean; hasAnswered: boolean; detail: string }> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]) });
    const body = (await response.text()).slice(0, 2000).trim();
    return { isOk: response.ok, hasAnswered: true, detail: body || String(response.status) };
  } catch (error) {
    const { cause, message, name } = error as Error & { cause?: { code?: string; message?: string } };
    return {
      isOk: false,
      hasAnswered: false,
      detail: name === 'TimeoutError' ? `no answer within ${timeout} ms` : (cause?.code ?? cause?.message ?? message),
    };
  }
};

export function register(noun: Command, cli: Cli): void {
  noun
    .description('Asks a running server how it is; exit code 1 when it is not well')
    .option('--live', 'the process answers (/livez)')
    .option('--ready', 'it wants requests: database reached, schema current (/readyz; the default)')
    .option('--url <address>', 'where it listens; default http://127.0.0.1:$PORT', parseUrl)
    .option('--timeout <duration>', 'how long to wait for an answer', parseDuration, 3000)
    .addHelpText(
      'after',
      "\nExamples:\n  # as a container's health check\n  $ marketctl health --live\n  # from elsewhere\n  $ marketctl health --ready --url https://market.example\n",
    )
    .action(async ({ live, url, timeout }: HealthOptions) => {
      const path = live ? '/livez' : '/readyz';
      const address = `${url ?? `http://127.0.0.1:${cli.environment().PORT || '8080'}`}${path}`;
      const { isOk, hasAnswered, detail } = await askServer(address, timeout, cli.signal);
      await cli.out.record(
        { fields: ['check', 'status', 'detail'] },
        { check: path.slice(1), status: isOk ? 'ok' : 'fail', detail },
      );
      if (!hasAnswered) throw new CliError(EXIT.unexpected, `${address} does not answer.`, AWAY_HINT);
      if (!isOk) throw new CliError(EXIT.unexpected, `${address} is not well.`);
    });
}
