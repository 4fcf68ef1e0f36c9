/** Compares the start of marketctl with that of node, alternately in one run: `node test/bench/measure-cli.ts`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './timing.ts';

export interface CliStart {
  nodeMs: number;
  versionMs: number;
  ratio: number;
}

const BIN = fileURLToPath(new URL('../../cli/bin.js', import.meta.url));

const time = (args: string[]): number => {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - started;
};

/** Medians over `rounds`, after one round that fills the compile cache. */
export function measureCliStart(rounds = 21): CliStart {
  const [node, version]: [number[], number[]] = [[], []];
  time([BIN, 'version']);
  for (let round = 0; round < rounds; round++) {
    node.push(time(['-e', '0']));
    version.push(time([BIN, 'version']));
  }
  const [nodeMs, versionMs] = [median(node), median(version)];
  return { nodeMs, versionMs, ratio: versionMs / nodeMs };
}

if (import.meta.main) console.log(JSON.stringify(measureCliStart()));
