import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const read = (file: string): string =>
  readFileSync(new URL(`../../helm/tradepost/files/${file}`, import.meta.url), 'utf8');

export const readDashboard = (): string[] => {
  const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
};

export const readAlerts = (): string[] => {
  const { groups } = parse(read('alerts.yaml')) as { groups: { rules: { expr: string }[] }[] };
  return groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
};

export interface Asked {
  metric: string;
  /** A label and the value that it must match. Without a value, the query only groups by the label. */
  labels: [name: string, value?: string][];
}

// The functions that our queries use. Any other function would be reported as a missing metric.
const PROMQL = /^(sum|max|min|count|topk|rate|min_over_time|histogram_quantile|absent|vector|by|and|or)$/;

export const readQuery = (query: string): Asked[] => {
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  const bare = query.replace(/\bby \([^)]*\)/g, '').replace(/\[\w+\]/g, '');
  return [...bare.matchAll(/([a-z_][\w:]*)(?:\{([^}]*)\})?/gi)]
    .filter(([, name = '']) => !PROMQL.test(name))
    .map(([, metric = '', matchers = '']) => ({
      metric,
      labels: [
        ...[...matchers.matchAll(/(\w+)[=!]~?"([^"]*)"/g)].map(([, name = '', value]): [string, string?] => [
          name,
          value,
        ]),
        ...grouped.map((name): [string] => [name]),
      ],
    }));
};
