import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppContext, createAppContext } from './app-context.ts';
import { type Config, ConfigError, readConfig } from './config/load.ts';
import { migrateUp, migrationTarget, toNewerSchemaMessage } from './db/migrate.ts';
import { findMismatch, settleCurrency } from './features/currency/service.ts';
import { requestPlaces } from './features/places/service.ts';
import { createMetricsServer, type Lifecycle } from './http/health.ts';
import { type Listening, listen, listenWithMany } from './http/listen.ts';
import { createSite, SERVER_OPTIONS, tuneServer } from './http/server.ts';
import { createServer } from './http/without-undici.ts';
import { jobHandlers } from './job-handlers.ts';
import { startWorker } from './jobs/worker.ts';

/** As of a ConfigError. */
const WRONG_CONFIGURATION = 3;

/** Time limit, after the last request, for writing buffered counts to the database, which may be unavailable. */
const CLOSING_MS = 5000;

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error.exitCode);
  }
}

async function drain(
  server: Server,
  listening: Listening | undefined,
  { shutdownDelay, shutdownTimeout }: Config,
): Promise<boolean> {
  await sleep(shutdownDelay);
  const closed = listening?.close().then(() => true) ?? true;
  // responses that began earlier did not send `Connection: close`
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const finished = await Promise.race([closed, sleep(shutdownTimeout, false, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
  return finished;
}

async function startTraces({ config, db }: AppContext): Promise<() => Promise<void>> {
  if (!config.otelEndpoint) return async () => {};
  const { startTracing } = await import('./observability/tracing.ts');
  const close = startTracing({
    endpoint: config.otelEndpoint,
    serviceName: config.otelServiceName,
    pools: { main: db },
  });
  // an unavailable collector must not fail the shutdown
  return () => close().catch(() => {});
}

const CURRENCY_MS = 10_000;

/**
 * Ends the process when the amounts are in another currency, or are being converted: now, or as soon as the database can be
 * asked. The supervisor starts it again.
 */
async function watchCurrency(ctx: AppContext): Promise<void> {
  const check = async () => {
    const mismatch = await settleCurrency(ctx).then(
      (stored) => findMismatch(stored, ctx.config.currency.code),
      (err: unknown) => void ctx.log.debug({ err }, 'the currency could not be checked'),
    );
    if (mismatch === undefined) return;
    process.stderr.write(`${mismatch}\n`);
    process.exit(WRONG_CONFIGURATION);
  };
  await check();
  setInterval(check, CURRENCY_MS).unref();
}

async function main(): Promise<void> {
  const config = readConfigOrExit();
  const ctx: AppContext = createAppContext(config);
  if (config.clockOffset > 0) ctx.log.warn({ now: ctx.clock.now() }, 'CLOCK_OFFSET moves the clock');
  const lifecycle: Lifecycle = { phase: 'starting' };
  const closeTracing = await startTraces(ctx);
  const onNewer = (names: string[]) => ctx.log.warn(toNewerSchemaMessage(names));
  if (config.migrateOnStart) await migrateUp({ ...migrationTarget(config), onNewer });
  await watchCurrency(ctx);
  const site = await createSite(ctx, lifecycle);
  const server = tuneServer(createServer(SERVER_OPTIONS, site.handle), ctx);
  let listening: Listening | undefined;
  const worker = startWorker(ctx, jobHandlers);
  // without a database or its tables: the crontab asks again
  requestPlaces(ctx).catch((err: unknown) => ctx.log.debug({ err }, 'places could not be requested'));
  const metricsServer = createMetricsServer(ctx, site.health);

  /**
   * Jobs may take as long as requests. Without the database, their jobs stay locked until another worker reaps this
   * one.
   */
  const stopWorker = async (): Promise<void> => {
    try {
      const jobs = await worker.stop(config.shutdownDelay + config.shutdownTimeout);
      if (jobs > 0) ctx.log.warn({ jobs }, 'jobs that were not done in time went back into the queue');
    } catch (err) {
      ctx.log.warn(
        { err },
        'jobs could not be given back: those that ran begin again once it is clear that this process has ended',
      );
    }
  };
  const end = async (): Promise<boolean> => {
    site.endStreams();
    const jobsEnded = stopWorker();
    const finished = await drain(server, listening, config);
    metricsServer.closeAllConnections();
    metricsServer.close();
    await Promise.all([site.close(), jobsEnded]);
    await ctx.close();
    await closeTracing();
    return finished;
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (lifecycle.phase === 'draining') process.exit(1);
    ctx.log.info({ signal }, 'stopping');
    lifecycle.phase = 'draining';
    const { shutdownDelay, shutdownTimeout } = config;
    const late = sleep(shutdownDelay + shutdownTimeout + CLOSING_MS, false);
    const isEnded = await Promise.race([end(), late]);
    if (!isEnded) ctx.log.warn('stopped before all was done: requests, jobs or the database took too long');
    process.exit(isEnded ? 0 : 1);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // state may be half-changed: log the error and let the supervisor start a clean process
  const die = (error: unknown) => {
    ctx.log.fatal({ err: error }, 'the process is in an unknown state');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);

  if (config.metricsPort > 0) await listen(metricsServer, { host: config.metricsHost, port: config.metricsPort });
  listening = await listenWithMany(server, config);
  lifecycle.phase = 'ready';
  const { address, port } = listening.address;
  ctx.log.info({ address, port, publicUrl: config.publicUrl }, 'ready');
}

await main();
