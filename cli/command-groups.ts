import type { Command } from 'commander';
import type { Cli } from './framework/cli.ts';

/** A file of cli/commands: adds the noun's commands to it. */
interface CommandModule {
  register(noun: Command, cli: Cli, loadWholeTree: () => Promise<unknown>): void;
}

export interface CommandGroup {
  name: string;
  summary: string;
  group: string;
  load: () => Promise<CommandModule>;
}

const FIRST = 'Most used:';

const MARKET = 'The marketplace:';
const RUNNING = 'Running it:';

/** The command tree's first level. A noun's file is read only when it is asked for: start-up stays short. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    name: 'seed',
    summary: 'put categories or a demo marketplace in place',
    group: FIRST,
    load: () => import('./commands/seed.ts'),
  },
  { name: 'admin', summary: 'make and manage administrators', group: FIRST, load: () => import('./commands/admin.ts') },
  {
    name: 'user',
    summary: 'list, ban, grant, delete and export users',
    group: FIRST,
    load: () => import('./commands/user.ts'),
  },
  { name: 'stats', summary: 'show and export statistics', group: FIRST, load: () => import('./commands/stats.ts') },
  {
    name: 'ad',
    summary: 'list, approve, reject and delete ads',
    group: MARKET,
    load: () => import('./commands/ad.ts'),
  },
  {
    name: 'category',
    summary: 'list, add, rename, merge and disable categories',
    group: MARKET,
    load: () => import('./commands/category.ts'),
  },
  { name: 'session', summary: 'see and end sessions', group: MARKET, load: () => import('./commands/session.ts') },
  {
    name: 'contact',
    summary: 'read and export what the contact form sent',
    group: MARKET,
    load: () => import('./commands/contact.ts'),
  },
  {
    name: 'settings',
    summary: 'read and change the settings of the platform',
    group: MARKET,
    load: () => import('./commands/settings.ts'),
  },
  {
    name: 'audit',
    summary: 'see what administrators and operators did',
    group: MARKET,
    load: () => import('./commands/audit.ts'),
  },
  {
    name: 'health',
    summary: 'ask a running server how it is',
    group: RUNNING,
    load: () => import('./commands/health.ts'),
  },
  {
    name: 'doctor',
    summary: 'check everything the marketplace needs',
    group: RUNNING,
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'config',
    summary: 'check, print and document the configuration',
    group: RUNNING,
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'keys',
    summary: 'make keys for SESSION_KEYS and TOKEN_ENC_KEY',
    group: RUNNING,
    load: () => import('./commands/keys.ts'),
  },
  { name: 'db', summary: 'look at the database', group: RUNNING, load: () => import('./commands/db.ts') },
  {
    name: 'migrate',
    summary: 'bring the schema to this version',
    group: RUNNING,
    load: () => import('./commands/migrate.ts'),
  },
  { name: 'version', summary: 'print the version', group: RUNNING, load: () => import('./commands/version.ts') },
  {
    name: 'images',
    summary: 'count, verify, collect and move pictures',
    group: RUNNING,
    load: () => import('./commands/images.ts'),
  },
  {
    name: 'backup',
    summary: 'create, verify, restore and list backups',
    group: RUNNING,
    load: () => import('./commands/backup.ts'),
  },
  {
    name: 'jobs',
    summary: 'see, run and retry background jobs',
    group: RUNNING,
    load: () => import('./commands/jobs.ts'),
  },
  {
    name: 'posting',
    summary: 'see whether posts go to X, and send them on',
    group: RUNNING,
    load: () => import('./commands/posting.ts'),
  },
  {
    name: 'maintenance',
    summary: 'close the site for a while and open it again',
    group: RUNNING,
    load: () => import('./commands/maintenance.ts'),
  },
  {
    name: 'completion',
    summary: 'print a completion script for your shell',
    group: RUNNING,
    load: () => import('./commands/completion.ts'),
  },
];
