import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCli } from '../../test/harness/cli.ts';
import { EXIT } from '../framework/errors.ts';
import { SHELLS } from './completion.ts';

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

const dir = mkdtempSync(join(tmpdir(), 'completion-'));
afterAll(() => rmSync(dir, { recursive: true }));
for (const shell of SHELLS) writeFileSync(join(dir, shell), (await runCli(`completion ${shell}`)).stdout);

/** What is typed, and what it becomes. */
const LINES: readonly [typed: string, word: string][] = [
  ['mig', 'migrate'],
  ['user un', 'unban'],
  ['-o json user ba', 'ban'],
  ['user ban --rea', '--reason'],
  ['-o nd', 'ndjson'],
  ['stats export --bucket m', 'month'],
  ['ad list --state pe', 'pending'],
  ['jobs list --state w', 'waiting'],
  ['user grant @ann li', 'link-out'],
  ['settings get mod', 'moderationMode'],
  ['completion z', 'zsh'],
];

const inBash = (typed: string): string => {
  const words = typed.split(' ');
  const ask = `source ${dir}/bash; COMP_WORDS=(marketctl ${words.join(' ')}); COMP_CWORD=${words.length}; _marketctl; echo "\${COMPREPLY[*]}"`;
  return execFileSync('bash', ['-uc', ask], { encoding: 'utf8' }).trim();
};

const inFish = (typed: string): string => {
  const out = execFileSync('fish', ['--no-config', '-c', `source ${dir}/fish; complete -C 'marketctl ${typed}'`]);
  return out.toString().trim().replace(/\t.*/, '');
};

/** zsh completes only on a terminal. */
const inZsh = async (typed: string): Promise<string> => {
  // echoes the line instead of running it
  const setUp = `autoload -Uz compinit; compinit -u -D; source ${dir}/zsh; marketctl() { print "[\${@[-1]}]" }; PS1='now '`;
  const shell = spawn('script', ['-qec', 'zsh -f -i', '/dev/null'], { env: { ...process.env, SHELL: '/bin/sh' } });
  const steps: [when: RegExp, type: string][] = [
    [/[%#$] /, `${setUp}\r`],
    [/\nnow /, `marketctl ${typed}\t\r`],
    [/\[\S+\]\r/, 'exit\r'],
  ];
  let screen = '';
  shell.stdout.on('data', (chunk) => {
    screen += chunk;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the terminal's own sequences
    const plain = screen.replace(/\u001B\[[0-9;?]*[a-zA-Z]/g, '').replace(/\r(?!\n)/g, '\n');
    if (!steps[0]?.[0].test(plain)) return;
    shell.stdin.write(steps.shift()![1]);
    if (steps.length > 0) screen = '';
  });
  await new Promise((resolve) => shell.on('close', resolve));
  return /\[(\S+)\]/.exec(screen)?.[1] ?? screen;
};

describe('completion', () => {
  test.each(LINES)('bash: %s', (typed, word) => expect(inBash(typed)).toBe(word));

  test.skipIf(!isThere('fish')).each(LINES)('fish: %s', (typed, word) => expect(inFish(typed)).toBe(word));

  test.skipIf(!isThere('zsh') || !isThere('script')).each(LINES)('zsh: %s', async (typed, word) =>
    expect(await inZsh(typed)).toBe(word),
  );

  test('names of files complete where nothing else is known', () => {
    const { stdout } = spawnSync('bash', ['-c', `source ${dir}/bash; complete -p marketctl`], { encoding: 'utf8' });
    expect(stdout).toContain('-o default');
    expect(inBash('backup verify /etc/host')).toBe('');
  });

  test('another shell is a usage error', async () => {
    expect((await runCli('completion tcsh')).code).toBe(EXIT.usage);
  });
});
