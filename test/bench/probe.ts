/**
 * Loaded into the measured server with --import. Reports measurements since the last report to the parent process.
 * Measures nothing before the first request for a report, so that the HTTP rows measure the unmodified server.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
let peakRss = 0;
/** Milliseconds of each POST, from its headers to the last byte of the response. */
let postMs: number[] = [];

export interface ProbeReport {
  rssMb: number;
  peakRssMb: number;
  loopDelayP99Ms: number;
  cpuSeconds: number;
  postMs: number[];
}

function watchPosts(): void {
  const begun = new WeakMap<IncomingMessage, number>();
  const requestOf = (event: unknown) => (event as { request: IncomingMessage }).request;
  subscribe('http.server.request.start', (event) => void begun.set(requestOf(event), performance.now()));
  subscribe('http.server.response.finish', (event) => {
    const request = requestOf(event);
    if (request.method === 'POST') postMs.push(performance.now() - begun.get(request)!);
  });
}

function startMeasuring(): void {
  delay.enable();
  watchPosts();
  setInterval(() => {
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
  }, 20).unref();
}

function report(): ProbeReport {
  const { user, system } = process.cpuUsage();
  const rss = process.memoryUsage.rss();
  return {
    rssMb: rss / 1e6,
    peakRssMb: Math.max(peakRss, rss) / 1e6,
    // Subtracts the timer's own interval.
    loopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 5),
    cpuSeconds: (user + system) / 1e6,
    postMs,
  };
}

process.once('message', startMeasuring);
process.on('message', () => {
  process.send?.(report());
  delay.reset();
  peakRss = 0;
  postMs = [];
});
process.channel?.unref();
