import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { SPAM_LIMITS, type SpamLimit } from '../contract/admin.ts';
import { VARIANTS } from '../contract/image-variants.ts';
import { LIMITS } from '../contract/limits.ts';
import { DEFAULT_CHANNELS } from '../contract/notification-settings.ts';
import { SESSION_SECONDS } from '../server/features/sessions/session-repository.ts';
import { DEFAULT_SETTINGS } from '../server/features/settings/repository.ts';
import { NODE_FLAGS } from '../server/lib/node-flags.ts';
import {
  callsOf,
  findDeadLinks,
  findMissingFiles,
  findMissingNames,
  type Guide,
  ROOT,
  readGuides,
} from '../test/harness/guides.ts';
import { createProgram } from './program.ts';

const { stdin, stdout, stderr } = process;
const { program, loadWholeTree } = createProgram({ env: {}, stdin, stdout, stderr, signal: AbortSignal.abort() });
await loadWholeTree();

const guides = readGuides();
const notes: Guide = {
  file: 'NOTES.txt',
  text: '',
  code: readFileSync(join(ROOT, 'helm/tradepost/templates/NOTES.txt'), 'utf8')
    .split('\n')
    .map((line) => line.replace('{{ $exec }}', 'marketctl').trim()),
  scripts: [],
};
const all = guides.map((guide) => [guide.file, guide] as const);

/** What commander would not take of a command line; "" where it takes all. */
function findWrong(line: string): string {
  let command: Command = program;
  const words = line.split(/\s+/).filter(Boolean);
  while (command.commands.length > 0 && words.length > 0 && !words[0]!.startsWith('-')) {
    const next = command.commands.find((known) => known.name() === words[0] || known.aliases().includes(words[0]!));
    if (!next) return `there is no "${words[0]}"`;
    command = next;
    words.shift();
  }
  const options = [...command.options, ...program.options];
  const unknown = words
    .filter((word) => /^--?[a-z]/.test(word) && word !== '--help')
    .find((word) => !options.some(({ long, short }) => [long, short].includes(word.replace(/=.*/, ''))));
  return unknown ? `there is no option ${unknown}` : '';
}

describe('what the guides say to type', () => {
  test.each([...all, [notes.file, notes] as const])('%s: marketctl knows its commands and options', (_file, guide) => {
    const wrong = callsOf(guide, 'marketctl').map((line) => [line, findWrong(line)]);
    expect(wrong.filter(([, why]) => why)).toEqual([]);
  });

  test.each(all)('%s: its make targets are in the Makefile', (_file, guide) => {
    const makefile = readFileSync(join(ROOT, 'Makefile'), 'utf8');
    const targets = callsOf(guide, 'make').map((rest) => rest.split(' ')[0]!);
    expect(targets.filter((name) => !new RegExp(`^${name}:`, 'm').test(makefile))).toEqual([]);
  });

  test.each(all)('%s: a shell can read its blocks', (_file, { scripts }) => {
    for (const script of scripts) {
      const { status, stderr: said } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
      expect([script, status, said]).toEqual([script, 0, '']);
    }
  });
});

describe('what the guides point at', () => {
  test.each(all)('%s: files and folders are there', (_file, guide) => {
    expect(findMissingFiles(guide)).toEqual([]);
  });

  test.each(all)('%s: links lead to a file and its heading', (_file, guide) => {
    expect(findDeadLinks(guide)).toEqual([]);
  });

  // whatever reads variables: the server, the terminal, make, compose, the scripts, the suites
  const readers = [
    'contract',
    'server',
    'web/src',
    'cli',
    'local',
    'test',
    'deploy',
    'helm/tradepost',
    'migrations',
  ].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(md|json|png)$/.test(entry.name) && entry.name !== 'guides.test.ts')
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const others = ['Makefile', 'Dockerfile', 'docker-compose.yml', 'playwright.config.ts', 'package.json'];
  const sources = [...readers, ...others.map((file) => join(ROOT, file))]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const known = new Set(sources.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g));

  test('ARCHITECTURE.md: the names of files and code in it are there', () => {
    const guide = guides.find(({ file }) => file === 'ARCHITECTURE.md')!;
    expect(guide.code.length).toBeGreaterThan(200);
    expect(findMissingNames(guide, readers, sources)).toEqual([]);
  });

  test.each(all)('%s: the variables that it names are read somewhere', (_file, { code }) => {
    const named = code.flatMap((line) => line.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? []);
    // Linux has the capabilities
    expect(named.filter((name) => !known.has(name) && !name.startsWith('CAP_'))).toEqual([]);
  });
});

describe('what the guides repeat', () => {
  const read = (name: string) => guides.find(({ file }) => file === join('docs', name))!.text;

  test('NOTIFICATIONS.md names the channels of every kind', () => {
    const rows = read('NOTIFICATIONS.md').matchAll(
      /^\| (?<kinds>`\w+`(, `\w+`)*) \| .* \| (?<email>✓?) ?\| (?<push>✓?) ?\|$/gm,
    );
    const named = [...rows].flatMap(({ groups }) => {
      const { kinds = '', email, push } = groups!;
      return kinds.match(/\w+/g)!.map((kind) => [kind, { email: email === '✓', push: push === '✓' }]);
    });
    expect(Object.fromEntries(named)).toEqual(DEFAULT_CHANNELS);
  });

  test('NOTIFICATIONS.md says how long a cookie lasts', () => {
    const hours = SESSION_SECONDS.password.total / 3600;
    expect(read('NOTIFICATIONS.md')).toContain(
      `more than ${LIMITS.sessionDays} days old (${hours} hours with a password)`,
    );
  });

  test('GLOSSARY.md names every variant of an image', () => {
    const [row = ''] = /^\| variant \|.*$/m.exec(read('GLOSSARY.md')) ?? [];
    expect(row.match(/(?<=`)\w+(?=`)/g)?.toSorted()).toEqual(VARIANTS.toSorted());
  });

  test('MODERATION.md names every limit against spam and its default', () => {
    const rows = read('MODERATION.md').matchAll(/^\| `(\w+)` \| (\d+) \|/gm);
    const defaults = Object.keys(SPAM_LIMITS).map((name) => [name, String(DEFAULT_SETTINGS[name as SpamLimit])]);
    expect([...rows].map(([, name, value]) => [name, value])).toEqual(defaults);
  });
});

test('the server is started with the same flags everywhere', () => {
  const image = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  expect(image).toContain(`CMD ${JSON.stringify(['node', ...NODE_FLAGS, 'server/main.ts']).replaceAll(',', ', ')}`);
  expect(readFileSync(join(ROOT, 'docs/INSTALL.md'), 'utf8')).toContain(`node ${NODE_FLAGS.join(' ')} server/main.ts`);
});

test('the guides are looked at closely enough to notice a mistake', () => {
  expect(guides.flatMap((guide) => callsOf(guide, 'marketctl')).length).toBeGreaterThan(20);
  expect(callsOf(notes, 'marketctl')).toEqual(['seed categories', 'admin create YOUR_NAME', 'doctor', 'migrate up']);
  expect(findWrong('migrate upp')).toContain('upp');
  expect(findWrong('migrate up --wiat 3m')).toContain('--wiat');
  const guide = { ...notes, text: '[a](docs/GONE.md) [b](README.md#gone) [c](README.md#start)', file: 'x.md' };
  expect(findDeadLinks(guide)).toEqual(['docs/GONE.md', 'README.md#gone']);
  const names = ['ad-card.tsx', 'gone.ts', 'gates/gone.ts', 'mayPostAd', 'mayGoAway', 'GONE_AWAY'];
  expect(findMissingNames({ code: names }, ['web/src/ad-card.tsx'], 'mayPostAd')).toEqual([
    'gone.ts',
    'gates/gone.ts',
    'mayGoAway',
    'GONE_AWAY',
  ]);
  expect(findMissingFiles({ ...notes, code: ['deploy/gone.sh', 'compose.gone.yml', 'docs/INSTALL.md'] })).toEqual([
    'deploy/gone.sh',
    'deploy/compose/compose.gone.yml',
  ]);
});
