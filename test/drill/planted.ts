// Plants each bug of planted-bugs/ into a copy of the checkout, one at a time, and runs the drill there until it finds it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '../..');
const BUGS = join(import.meta.dirname, 'planted-bugs');

export interface PlantedBug {
  name: string;
  file: string;
  breaks: string;
  /** What should find it. */
  foundBy: string;
}

const readLine = (patch: string, label: string): string => new RegExp(`^# ${label}: (.+)$`, 'm').exec(patch)?.[1] ?? '';

export const listPlantedBugs = (): PlantedBug[] =>
  readdirSync(BUGS)
    .toSorted()
    .map((file) => {
      const patch = readFileSync(join(BUGS, file), 'utf8');
      return {
        name: basename(file, '.patch'),
        file: join(BUGS, file),
        breaks: readLine(patch, 'Breaks'),
        foundBy: readLine(patch, 'Found by'),
      };
    });

/** Copies what Git knows of the checkout, and its changes, and shares the installed packages. */
const copyCheckout = (target: string): void => {
  const names = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', names, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  for (const file of files.filter((name) => name !== '' && !name.startsWith('node_modules'))) {
    mkdirSync(join(target, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(target, file), { force: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(target, 'node_modules'));
};

/** Applies a bug to a checkout, or takes it back. Throws if the code that it breaks has changed. */
export const plant = (checkout: string, { file }: PlantedBug, ...options: string[]): void => {
  // outside of a repository Git takes the paths as they are
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(checkout) };
  execFileSync('git', ['apply', ...options, file], { cwd: checkout, env, stdio: ['ignore', 'ignore', 'pipe'] });
};

interface Options {
  /** At most so many seeds for each bug. */
  seeds: number;
  /** Of each seed. */
  seconds: number;
  /** The names of bugs; none: all. */
  only: readonly string[];
  log: (line: string) => void;
}

/** Returns the number of bugs that the drill missed. */
export const findPlantedBugs = async ({ seeds, seconds, only, log }: Options): Promise<number> => {
  const all = listPlantedBugs();
  const unknown = only.filter((name) => !all.some((bug) => bug.name === name));
  if (unknown.length > 0)
    throw new Error(`No planted bug ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.`);
  const bugs = all.filter(({ name }) => only.length === 0 || only.includes(name));
  const checkout = mkdtempSync(join(tmpdir(), 'tradepost-planted-'));
  let missed = 0;
  try {
    copyCheckout(checkout);
    for (const bug of bugs) {
      plant(checkout, bug);
      const run = await runDrill(checkout, ['--seeds', `${seeds}`, '--seconds', `${seconds}`, '--until-found']);
      plant(checkout, bug, '--reverse');
      if (!run.isFound) missed++;
      log(`${run.isFound ? 'found ' : 'MISSED'}  ${bug.name}: ${bug.breaks}`);
      log(run.output.replace(/^/gm, '        '));
    }
    log(`${bugs.length - missed} of ${bugs.length} planted bugs found`);
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
  return missed;
};

const runDrill = async (cwd: string, options: string[]): Promise<{ isFound: boolean; output: string }> => {
  const main = join(cwd, 'test/drill/main.ts');
  const child = spawn(process.execPath, [main, ...options], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill('SIGTERM'));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  // any other code: the drill itself has failed
  if (code !== 0 && code !== 1) throw new Error(`the drill ended with ${code}:\n${output}`);
  return { isFound: code === 1, output: output.trimEnd() };
};
