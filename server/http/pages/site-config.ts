import type { SiteEnv } from '../../../contract/boot.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { App } from '../../app-context.ts';
import { listUsers } from '../../features/auth/repository.ts';
import { readSettings } from '../../features/settings/repository.ts';

/** The sample people of seeds/sample-content.ts, whom X-Test-User may name. */
const TEST_USER_IDS = ['1001', '1002'];

async function readTestUsers({ config, db }: App): Promise<SiteEnv['testUsers']> {
  if (config.isProduction || !config.authTestUsers) return [];
  const rows = await listUsers(db, TEST_USER_IDS);
  return rows.map((row) => ({ id: row.id, username: row.username ?? '', displayName: row.display_name }));
}

/** What the configuration alone says; also what a page says while the database is away. */
export const fixedEnv = ({ config }: Pick<App, 'config'>): SiteEnv => ({
  siteName: config.siteName,
  mode: config.nodeEnv,
  testUsers: [],
  xPosting: config.xPosting,
  siteXHandle: config.siteXHandle ?? '',
  supportEmail: config.supportEmail,
  legalEmail: config.legalEmail,
  maxImages: LIMITS.images,
});

/** What the browser may know of configuration and settings. */
export async function readSiteEnv(app: App): Promise<SiteEnv> {
  const [settings, testUsers] = await Promise.all([readSettings(app.reads), readTestUsers(app)]);
  return { ...fixedEnv(app), testUsers, maxImages: settings.maxImagesPerAd };
}
