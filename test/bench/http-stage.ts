import { WRITTEN_LANGUAGES } from '../../contract/languages.ts';
import type { AppContext } from '../../server/app-context.ts';
import type { Addresses } from './measure-http.ts';
import { type MeasuredServer, startServer, startYardstick } from './measured-server.ts';
import type { Stage } from './stage.ts';

export interface HttpStage {
  app: AppContext;
  server: MeasuredServer;
  env: NodeJS.ProcessEnv;
  at: Addresses;
  stop(): Promise<unknown>;
}

export async function openHttpStage(stage: Stage, url: string): Promise<HttpStage> {
  const app = stage.openApp(url);
  const env = {
    DATABASE_URL: url,
    // Pages in every language, and the words of the ads, which are English.
    LOCALES: WRITTEN_LANGUAGES.join(','),
    SEARCH_LANGUAGES: 'en',
    RATE_LIMIT_SCALE: '1000000',
    CACHE_DIR: `${stage.directory}/cache`,
    X_CLIENT_ID: 'bench',
    X_CLIENT_SECRET: 'bench',
  };
  const server = await startServer(env);
  const diskServer = await startServer({ ...env, CACHE_MEMORY_MB: '0' });
  const bare = await startYardstick('./bare-server.ts');
  const knex = await startYardstick('./knex-server.ts', { DATABASE_URL: url });
  return {
    app,
    server,
    env,
    at: {
      product: server.url,
      diskProduct: diskServer.url,
      bare: bare.url,
      knex: knex.url,
      teach: (path, type, body) => bare.tell({ path, type, body }),
      directory: stage.directory,
      pids: { product: server.pid, diskProduct: diskServer.pid, bare: bare.pid, postgres: stage.postgresPid },
    },
    stop: () => Promise.all([bare.stop(), knex.stop(), server.stop(), diskServer.stop(), app.close()]),
  };
}
