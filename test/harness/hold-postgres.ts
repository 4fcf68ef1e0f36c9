/** Runs a PostgreSQL in a process that a test can kill: `node test/harness/hold-postgres.ts DATA_DIR`. */
import { startPostgres } from '../../local/postgres/postgres.ts';

const postgres = await startPostgres({ dataDir: process.argv[2]! });
process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
console.log(JSON.stringify({ url: postgres.url, pid: postgres.pid }));
