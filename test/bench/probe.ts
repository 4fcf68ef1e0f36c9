/** Loaded into the measured server with --import: answers its parent with memory and event-loop delay since the last question. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let peakRss = 0;
setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
}, 20).unref();

export interface ProbeReport {
  rssMb: number;
  peakRssMb: number;
  loopDelayP99Ms: number;
  cpuSeconds: number;
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const rss = process.memoryUsage.rss();
  const report: ProbeReport = {
    rssMb: rss / 1e6,
    peakRssMb: Math.max(peakRss, rss) / 1e6,
    // what the timer itself waits for is no delay
    loopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 5),
    cpuSeconds: (user + system) / 1e6,
  };
  delay.reset();
  peakRss = 0;
  process.send?.(report);
});
process.channel?.unref();
