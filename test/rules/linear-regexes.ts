// Part of `make check`: every regular expression takes time in proportion to its input. recheck attacks each literal, and each
// expression that `new RegExp` makes while the modules of contract/ and server/ load. What it cannot decide is named below.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseSync } from '@swc/core';
import type { VulnerableDiagnostics } from 'recheck';

process.env.RECHECK_BACKEND = 'auto';
const { checkSync } = createRequire(import.meta.url)('recheck') as typeof import('recheck');

/** Checked by hand, with the reason. An entry that is not needed fails. */
const EXCEPTIONS: Record<string, string> = JSON.parse(
  readFileSync(new URL('./linear-regexes.json', import.meta.url), 'utf8'),
);

interface Found {
  file: string;
  source: string;
  flags: string;
}

type Node = { type?: string; pattern?: string; flags?: string; [key: string]: unknown };

function* findLiterals(node: unknown): Generator<{ source: string; flags: string }> {
  if (Array.isArray(node)) for (const one of node) yield* findLiterals(one);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const { type, pattern = '', flags = '', ...rest } = node as Node;
  if (type === 'RegExpLiteral') yield { source: pattern, flags };
  else for (const inner of Object.values(rest)) yield* findLiterals(inner);
}

const FILES = globSync(['{contract,server,cli}/**/*.ts', 'web/{src,service-worker}/**/*.{ts,tsx}']).filter(
  (file) => !/\.test\.|\/test\//.test(file),
);
const literals: Found[] = FILES.flatMap((file) => {
  const tree = parseSync(readFileSync(file, 'utf8'), {
    syntax: 'typescript',
    tsx: file.endsWith('x'),
    target: 'esnext',
  });
  return [...findLiterals(tree.body)].map((literal) => ({ file, ...literal }));
});

const built: Found[] = [];
const Original = RegExp;
globalThis.RegExp = new Proxy(Original, {
  construct(target, [source, flags = ''], newTarget) {
    // only those of the project's own files: the second line of the stack names the caller
    const caller = /\/(contract|server)\/[^\s:)]+/.exec(new Error().stack?.split('\n')[2] ?? '')?.[0];
    if (caller && !caller.includes('node_modules'))
      built.push({ file: caller.slice(1), source: String(source), flags });
    return Reflect.construct(target, [source, flags], newTarget);
  },
});
const BUILDS = FILES.filter(
  (file) => /^(contract|server)\//.test(file) && readFileSync(file, 'utf8').includes('new RegExp('),
);
for (const file of BUILDS) await import(new URL(`../../${file}`, import.meta.url).href);
globalThis.RegExp = Original;

/** The largest text that a request may contain, and the time that it may take. */
const TEXT_LENGTH = 64 * 1024;
const MAX_MS = 50;

/** recheck counts steps and may be wrong about a bounded number of them: whether its own attack is fast all the same. */
function isFast(regex: RegExp, { pumps, suffix }: VulnerableDiagnostics['attack']): boolean {
  const times = Math.ceil(TEXT_LENGTH / pumps.reduce((sum, { pump }) => sum + pump.length, 1));
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
  const durations = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    regex.lastIndex = 0;
    regex.test(text);
    return process.cpuUsage(start).user / 1000;
  });
  return Math.min(...durations) < MAX_MS;
}

const seen = new Set<string>();
const needed = new Set<string>();
for (const { file, source, flags } of [...literals, ...built]) {
  const name = `/${source}/${flags}`;
  if (seen.has(name)) continue;
  seen.add(name);
  if (EXCEPTIONS[name] !== undefined) {
    needed.add(name);
    continue;
  }
  const found = checkSync(source, flags, { timeout: 30_000, randomSeed: 1 });
  if (found.status === 'safe' || (found.status === 'vulnerable' && isFast(new RegExp(source, flags), found.attack)))
    continue;
  console.log(`${file}: ${name} ${found.status === 'unknown' ? 'cannot be checked' : 'is not linear'}`);
  process.exitCode = 1;
}
for (const name of Object.keys(EXCEPTIONS).filter((one) => !needed.has(one))) {
  console.log(`linear-regexes.json names an expression that is not there: ${name}`);
  process.exitCode = 1;
}
