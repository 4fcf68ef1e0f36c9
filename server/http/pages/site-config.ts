import type { SiteConfig } from '../../../contract/initial-state.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { readSettings } from '../../features/settings/repository.ts';
import { listUsersByIds } from '../../features/users/repository.ts';

/** The sample people of seeds/sample-content.ts, whom X-Test-User may name. */
const TEST_USER_IDS = ['1001', '1002'];

async function readTestUsers({ config, db }: AppContext): Promise<SiteConfig['testUsers']> {
  if (config.isProduction || !config.authTestUsers) return [];
  const rows = await listUsersByIds(db, TEST_USER_IDS);
  return rows.map((row) => ({ id: row.id, username: row.username ?? '', displayName: row.display_name }));
}

/** What the configuration alone says; also what a page says while the database is away. */
export const toFixedSiteConfig = ({ config }: Pick<AppContext, 'config'>): SiteConfig => ({
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
export async function readSiteConfig(appContext: AppContext): Promise<SiteConfig> {
  const [settings, testUsers] = await Promise.all([readSettings(appContext.reads), readTestUsers(appContext)]);
  return { ...toFixedSiteConfig(appContext), testUsers, maxImages: settings.maxImagesPerAd };
}
