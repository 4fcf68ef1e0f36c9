import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const read = (file: string): string =>
  readFileSync(new URL(`../../helm/tradepost/files/${file}`, import.meta.url), 'utf8');

/** The queries of the Grafana dashboard. */
export const readDashboard = (): string[] => {
  const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
};

/** The queries of the alerts of the chart and of compose. */
export const readAlerts = (): string[] => {
  const { groups } = parse(read('alerts.yaml')) as { groups: { rules: { expr: string }[] }[] };
  return groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
};

export interface Asked {
  metric: string;
  /** Label and the value that it must match; no value for a label that is only grouped by. */
  labels: [name: string, value?: string][];
}

// The functions that our queries use. Any other function would count as a missing metric.
const PROMQL = /^(sum|max|min|count|topk|rate|min_over_time|histogram_quantile|absent|vector|by|and|or)$/;

/** The metrics of a query, each with its own labels and with those that the query groups by. */
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
