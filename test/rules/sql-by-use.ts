// Part of `make check`: only repositories, server/db, the job queue and the image store of the database contain SQL.
// Imports cannot show this, because transactions are passed as parameters, so this rule looks for the calls. Everywhere,
// SQL takes the time from now() or clock_timestamp(): CLOCK_OFFSET moves no other function.
import { globSync, readFileSync } from 'node:fs';

const MAY_WRITE_SQL = [
  /^server\/db\//,
  /repository\.ts$/,
  /^server\/jobs\/queue\.ts$/,
  /^server\/integrations\/storage\/database\.ts$/,
];
const SQL_CALL = /\b(?:db|trx|reads)(?:<[^>()]*>)?\(\s*['"`]|\b(?:db|trx|reads)\.(?:raw|from|select|with|schema)\b/;

const FIXED_CLOCK =
  /\b(?:current_(?:date|time|timestamp)|localtime(?:stamp)?|(?:transaction|statement)_timestamp|timeofday|pg_catalog\.(?:now|clock_timestamp))\b/i;

const violations = globSync(['server/**/*.ts', 'cli/**/*.ts'])
  .filter((file) => !file.endsWith('.test.ts') && !MAY_WRITE_SQL.some((pattern) => pattern.test(file)))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (SQL_CALL.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );

const fixedClocks = globSync(['{server,cli,seeds,migrations}/**/*.ts'])
  .filter((file) => !file.endsWith('.test.ts') && file !== 'server/db/moved-clock.ts')
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (FIXED_CLOCK.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );

for (const violation of violations) console.log(`SQL outside of a repository: ${violation}`);
for (const line of fixedClocks) console.log(`a clock that CLOCK_OFFSET does not move: ${line}`);
if (violations.length + fixedClocks.length > 0) process.exitCode = 1;
