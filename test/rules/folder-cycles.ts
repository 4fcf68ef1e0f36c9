// Part of `make check`: folders must not import each other in cycles. Files in subfolders belong to the subfolder. Type
// imports do not count, and neither does the composition root, which imports every feature.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';

const { options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');
const FOLDERS = ['contract', 'server', 'cli', 'local', 'web/src', 'migrations', 'seeds'];
const IGNORED = /\.test\.|^web\/src\/test\/|^server\/(main|app-context|job-handlers)\.ts$/;

const { output } = await cruise(FOLDERS, { ...options, tsConfig: undefined });
const imports = new Map<string, Map<string, string>>();
for (const { source, dependencies } of (output as ICruiseResult).modules) {
  if (IGNORED.test(source)) continue;
  for (const { resolved, dependencyTypes } of dependencies) {
    const [from, to] = [dirname(source), dirname(resolved)];
    const isOurs = FOLDERS.some((folder) => resolved.startsWith(`${folder}/`)) && !IGNORED.test(resolved);
    if (from === to || !isOurs || dependencyTypes.includes('type-only')) continue;
    if (!imports.has(from)) imports.set(from, new Map());
    imports.get(from)!.set(to, `${source} imports ${resolved}`);
  }
}

const isReachable = (from: string, target: string, seen = new Set<string>()): boolean =>
  [...(imports.get(from)?.keys() ?? [])].some((next) => {
    if (next === target) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    return isReachable(next, target, seen);
  });

for (const [from, targets] of imports)
  for (const [to, example] of targets)
    if (isReachable(to, from)) {
      console.log(`Folders in a circle: ${from} → ${to} (${example})`);
      process.exitCode = 1;
    }
