import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Db } from '../../server/db/pools.ts';

const SCRIPT = fileURLToPath(new URL('./migrate.ts', import.meta.url));

export interface Starter {
  child: ChildProcess;
  applied: Promise<string[]>;
  waits: Promise<void>;
}

export const startMigrating = (url: string, directory: string): Starter => {
  const child = spawn(process.execPath, [SCRIPT, url, directory], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let out = '';
  const waits = new Promise<void>((resolve) => {
    child.stderr!.on('data', (chunk) => {
      said += chunk;
      if (said.includes('waiting')) resolve();
    });
  });
  child.stdout!.on('data', (chunk) => {
    out += chunk;
  });
  const applied = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`a starter ended with ${code}: ${said}`);
    return JSON.parse(out) as string[];
  });
  // A test that kills the process does not await its result.
  applied.catch(() => {});
  return { child, applied, waits };
};

/** Kills a process with SIGKILL, as the out-of-memory killer does, and waits for its end. */
export const kill = async ({ child }: Starter): Promise<void> => {
  const gone = once(child, 'close');
  child.kill('SIGKILL');
  await gone;
};

/** Polls until the condition is true. Throws if the process that must make it true has ended. */
export const until = async (db: Db, condition: string, { child, applied }: Starter): Promise<void> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended before: ${await applied}`);
    const { rows } = await db.raw<{ rows: { yes: boolean }[] }>(`select (${condition}) as yes`);
    if (rows[0]?.yes) return;
    await sleep(20);
  }
};

export const writeMigrations = (migrations: Record<string, { sql: string[]; transaction?: boolean }>): string => {
  const directory = mkdtempSync(join(import.meta.dirname, '../../.cache/migrations-'));
  for (const [name, { sql, transaction = true }] of Object.entries(migrations))
    writeFileSync(
      join(directory, `${name}.ts`),
      `export const config = { transaction: ${transaction} };
export const up = async (knex) => { for (const sql of ${JSON.stringify(sql)}) await knex.raw(sql); };
export const down = async () => {};\n`,
    );
  return directory;
};
