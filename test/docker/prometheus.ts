import { readDashboard } from '../harness/promql.ts';
import type { Stack } from './stack.ts';

interface Reply {
  data: {
    activeTargets: { health: string }[];
    groups: { rules: { name: string; health: string }[] }[];
    result: unknown[];
  };
}

export interface Prometheus {
  findTargets(health: string): Promise<unknown[]>;
  findRules(): Promise<{ name: string; health: string }[]>;
  query(query: string): Promise<unknown[]>;
}

/** The Prometheus of compose.metrics.yml, queried over its HTTP API. */
export function openPrometheus(stack: Stack): Prometheus {
  const origin = `http://${stack.compose('port', 'prometheus', '9090')}`;
  const ask = async (path: string) => ((await (await fetch(`${origin}/api/v1/${path}`)).json()) as Reply).data;
  return {
    findTargets: async (health) => (await ask('targets')).activeTargets.filter((target) => target.health === health),
    findRules: async () => (await ask('rules')).groups.flatMap(({ rules }) => rules),
    query: async (query) => (await ask(`query?${new URLSearchParams({ query })}`)).result,
  };
}

export const readDashboardQueries = (): string[] => readDashboard().map((query) => query.replaceAll('$job', '.*'));
