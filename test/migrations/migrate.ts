/**
 * A migrating process that a test can kill: `node test/migrations/migrate.ts URL DIRECTORY`. Prints what it applied.
 */
import { migrateUp } from '../../server/db/migrate.ts';

const [url, directory] = process.argv.slice(2) as [string, string];
const applied = await migrateUp({ url, directory, onWait: () => process.stderr.write('waiting\n') });
process.stdout.write(`${JSON.stringify(applied)}\n`);
