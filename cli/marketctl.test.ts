import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { runCli } from '../test/harness/cli.ts';
import { EXIT } from './framework/errors.ts';
import { createProgram } from './program.ts';

const loadTree = async () => {
  const { program, loadWholeTree } = createProgram({
    env: {},
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: new AbortController().signal,
  });
  await loadWholeTree();
  return program;
};

const listBelow = (parent: Command, path = ''): { path: string; command: Command }[] =>
  parent.commands.flatMap((command) => {
    const own = `${path} ${command.name()}`.trim();
    return [{ path: own, command }, ...listBelow(command, own)];
  });

describe('marketctl', () => {
  test('names first the four things it is known for', async () => {
    const { stdout, code } = await runCli('--help');
    expect(code).toBe(EXIT.ok);
    const four = ['seed categories', 'admin create', 'user ban', 'stats export'].map((line) => stdout.indexOf(line));
    expect(four.every((at, i) => at > (four[i - 1] ?? 0))).toBe(true);
  });

  test('suggests the command that was meant', async () => {
    const { code, stderr, stdout } = await runCli('migrat up');
    expect(code).toBe(EXIT.usage);
    expect(stderr).toContain('Did you mean migrate?');
    expect(stdout).toBe('');
  });

  test('suggests the subcommand and the option that were meant', async () => {
    expect((await runCli('admin creat root')).stderr).toContain('Did you mean create?');
    expect((await runCli('admin list --outptu json')).stderr).toContain('Did you mean --output?');
  });

  test('every command has a summary, a description and an example in its help', async () => {
    const program = await loadTree();
    for (const { path, command } of listBelow(program)) {
      if (path === 'help') continue;
      const { stdout, code } = await runCli(`${path} --help`);
      expect(code, path).toBe(EXIT.ok);
      if (command.commands.length === 0) expect(stdout, path).toContain(`$ marketctl ${path}`);
      expect(command.summary(), path).not.toBe('');
      expect(command.description(), path).not.toBe('');
    }
  });

  test('help works on commands, subcommands and topics', async () => {
    expect((await runCli('help migrate up')).stdout).toContain('Usage: marketctl migrate up');
    expect((await runCli('help exit-codes')).stdout).toContain('130  Interrupted');
    for (const topic of ['output', 'config', 'scripting']) expect((await runCli(`help ${topic}`)).code).toBe(EXIT.ok);
    for (const words of ['help', 'help exit-codes', 'help output', 'help config', 'help scripting'])
      expect((await runCli(words)).lines.filter((line) => line.length > 80)).toEqual([]);
    expect((await runCli('help nothing')).code).toBe(EXIT.usage);
  });

  test('takes no password and no address of a database on the command line', async () => {
    const program = await loadTree();
    const all = [program, ...listBelow(program).map(({ command }) => command)];
    const options = all.flatMap((command) => command.options.map((option) => option.long));
    expect(options).not.toContain('--password');
    expect(options).not.toContain('--database-url');
  });

  test('a wrong format, an unknown field and an argument too many are usage errors', async () => {
    for (const line of ['version -o yaml', 'version --fields nothing', 'version more'])
      expect((await runCli(line)).code, line).toBe(EXIT.usage);
  });
});
