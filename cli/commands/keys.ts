import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { Cli } from '../framework/cli.ts';
import { addCommand, parseWhole } from '../framework/command.ts';

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'generate', {
    summary: 'Prints random keys, base64url, one a line',
    examples: [
      ['keys generate', 'a key for SESSION_KEYS or TOKEN_ENC_KEY'],
      ['keys generate --count 2 >session_keys', 'two keys into a file'],
    ],
  })
    .option('--bytes <n>', 'random bytes of a key', parseWhole(32, 1024), 32)
    .option('--count <n>', 'how many keys', parseWhole(1, 100), 1)
    .action(async ({ bytes, count }: { bytes: number; count: number }) => {
      const keys = Array.from({ length: count }, () => ({ key: randomBytes(bytes).toString('base64url') }));
      if (cli.isTable()) return cli.out.raw(keys.map(({ key }) => `${key}\n`).join(''));
      await cli.out.rows({ fields: ['key'] }, keys);
    });
}
