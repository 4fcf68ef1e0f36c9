import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SOURCES = ['web', 'contract', 'package-lock.json'];
const STAMP = '.cache/web-build';
const OUTPUT = 'web/dist';

const listFiles = (path: string): string[] => {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(path, 'dist')))
    .map((entry) => join(entry.parentPath, entry.name));
};

/** Changes with the name, size and time of each file. Reading the contents would slow down every start. */
const describeSources = (root: string): string => {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => listFiles(join(root, source))).sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
};

export const buildWeb = async (root: string): Promise<boolean> => {
  const stamp = join(root, STAMP);
  const sources = describeSources(root);
  const isFresh = existsSync(join(root, OUTPUT)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
  if (isFresh) return false;
  await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  }).catch((error: { stderr?: string }) => {
    throw new Error(`The pages could not be built:\n${error.stderr ?? error}`);
  });
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(stamp, sources);
  return true;
};
