import { afterAll } from 'vitest';
import { createAd } from '../../contract/ads.ts';
import { getMe } from '../../contract/auth.ts';
import { startXSimulator, type XSimulator } from '../../local/x-simulator/server.ts';
import type { AppContext } from '../../server/app-context.ts';
import type { XPostRow } from '../../server/features/x-posts/repository.ts';
import { jobHandlers } from '../../server/job-handlers.ts';
import { runDueJobs } from '../../server/jobs/worker.ts';
import { openTestApp, type TestApp } from './app.ts';
import { type Client, createBrowser } from './client.ts';
import { adBody, insertCategories, SETTLED } from './factories.ts';

export const MAYA = '2244994945';
export const TOM = '1488016301';
const CLIENT = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
const TOKEN_ENC_KEY = 'a-key-for-tokens-that-only-these-tests-use';

export type Browser = ReturnType<typeof createBrowser>;

export interface PostingSite extends Omit<TestApp, 'createPerson'> {
  sandbox: XSimulator;
  env: Record<string, string>;
  control(path: string, body?: unknown, method?: string): Promise<Response>;
  /** A browser that signed in through X's consent page. `forPosting` also consents to posting. */
  createPerson(persona?: string, options?: { forPosting?: boolean }): Promise<Browser>;
  consent(browser: Browser, persona: string, start: string): Promise<string>;
  postAd(browser: Pick<Client, 'ok'>, fields?: object): Promise<{ id: string; postedToX: boolean }>;
  findPost(adId: string): Promise<XPostRow>;
  runJobs(): Promise<void>;
  reset(): Promise<void>;
}

export async function openPostingSite({ env = {} }: { env?: Record<string, string> } = {}): Promise<PostingSite> {
  const redirectUris: string[] = [];
  const sandbox = await startXSimulator({ port: 0, ...CLIENT, redirectUris });
  afterAll(sandbox.close);
  const xEnv = {
    X_MODE: 'sandbox',
    X_SANDBOX_URL: sandbox.url,
    X_CLIENT_ID: CLIENT.clientId,
    X_CLIENT_SECRET: CLIENT.clientSecret,
    X_POSTING: 'api',
    TOKEN_ENC_KEY,
    ...env,
  };
  const site = await openTestApp({ env: xEnv });
  const { app, url } = site;
  redirectUris.push(`${url}/api/auth/twitter/callback`);
  await insertCategories(app);

  const control: PostingSite['control'] = (path, body = {}, method = 'POST') =>
    fetch(`${sandbox.url}/__sandbox/${path}`, { method, body: JSON.stringify(body) });

  const consent: PostingSite['consent'] = async (browser, persona, start) => {
    await control('auto-approve', { persona });
    const begun = await browser.send(start);
    const consented = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    await control('auto-approve', { persona: null });
    const back = await browser.send((consented.headers.get('location') ?? '').replace(url, ''));
    return (back.headers.get('location') ?? '').replace(url, '');
  };

  return {
    ...site,
    sandbox,
    env: {
      ...xEnv,
      DATABASE_URL: app.config.databaseUrl,
      DATABASE_DIRECT_URL: app.config.databaseDirectUrl,
      PUBLIC_URL: url,
      NODE_ENV: 'test',
    },
    control,
    consent,
    async createPerson(persona = MAYA, { forPosting = true } = {}) {
      const browser = createBrowser(url);
      await consent(browser, persona, '/api/auth/twitter');
      await browser.ok(getMe);
      if (forPosting) await consent(browser, persona, '/api/auth/twitter/post');
      return browser;
    },
    postAd: (browser, fields = {}) => browser.ok(createAd, { body: { ...adBody(fields), postToX: true } }),
    findPost: async (adId) => (await app.db('x_posts').where({ ad_id: adId, kind: 'ad' }).first()) as XPostRow,
    runJobs: () => runJobs(app),
    async reset() {
      await control('reset');
      sandbox.log.length = 0;
      await app.db.raw(`truncate x_posts, x_accounts, favorites, settings, sessions;
        delete from graphile_worker._private_jobs; update users set post_to_x = false where post_to_x`);
      // the people of the simulator post more ads than a new account may
      await app.db('users').update(SETTLED);
    },
  };
}

async function runJobs(app: AppContext): Promise<void> {
  await app.db.raw('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
  await app.db.raw('update x_posts set next_attempt_at = null where next_attempt_at is not null');
  await runDueJobs(app, jobHandlers);
}
