import type { Metric, Registry } from 'prom-client';

/** Upper bounds in seconds. */
const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const REQUEST_LABELS = ['method', 'route', 'status'] as const;
type Labels = Record<(typeof REQUEST_LABELS)[number], string | number>;

/** Requests that have these labels. */
interface Series {
  labels: Labels;
  /** How many took no longer than each bound, and longer than the one before; slower ones last. */
  perBound: number[];
  count: number;
  sum: number;
}

export interface RequestHistogram {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** How many there were, by labels. */
  counts(): { labels: Labels; count: number }[];
}

const startSeries = (labels: Labels): Series => ({
  labels,
  perBound: Array<number>(BOUNDS.length + 1).fill(0),
  count: 0,
  sum: 0,
});

/** As Prometheus wants it: each bucket counts what is in the smaller ones, too. */
function listValues(name: string, { labels, perBound, count, sum }: Series): object[] {
  let soFar = 0;
  const buckets = [...BOUNDS, '+Inf'].map((le, i) => {
    soFar += perBound[i]!;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: soFar };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/**
 * A histogram of requests in prom-client's registry. The library's own checks and hashes the labels of each observation,
 * a twenty-fifth of a hot answer; here a route leads to its few series.
 */
export function openRequestHistogram(name: string, help: string, registry: Registry): RequestHistogram {
  const byRoute = new Map<string, Series[]>();
  const start = (labels: Labels): Series => {
    const series = startSeries(labels);
    byRoute.set(String(labels.route), [...(byRoute.get(String(labels.route)) ?? []), series]);
    return series;
  };
  const find = (method: string, route: string, status: number): Series | undefined =>
    byRoute.get(route)?.find(({ labels }) => labels.status === status && labels.method === method);
  const all = () => [...byRoute.values()].flat();
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    values: all().flatMap((series) => listValues(name, series)),
    aggregator: 'sum',
  });
  registry.registerMetric({ name, help, type: 'histogram', labelNames: REQUEST_LABELS, get } as unknown as Metric);
  return {
    observe(method, route, status, seconds) {
      const series = find(method, route, status) ?? start({ method, route, status });
      const bound = BOUNDS.findIndex((limit) => seconds <= limit);
      series.perBound[bound < 0 ? BOUNDS.length : bound]!++;
      series.count++;
      series.sum += seconds;
    },
    counts: () => all().map(({ labels, count }) => ({ labels, count })),
  };
}
