import type * as z from 'zod/mini';
import * as accessTokens from './access-tokens.ts';
import * as admin from './admin.ts';
import * as adminCategories from './admin-categories.ts';
import * as ads from './ads.ts';
import * as analytics from './analytics.ts';
import * as auth from './auth.ts';
import * as blocks from './blocks.ts';
import * as brand from './brand.ts';
import * as clientErrors from './client-errors.ts';
import * as contact from './contact.ts';
import * as conversations from './conversations.ts';
import * as deals from './deals.ts';
import * as email from './email.ts';
import type { EndpointSpec } from './endpoint.ts';
import * as expiry from './expiry.ts';
import * as favorites from './favorites.ts';
import * as follows from './follows.ts';
import * as imports from './imports.ts';
import * as messagePhotos from './message-photos.ts';
import * as messages from './messages.ts';
import * as notificationSettings from './notification-settings.ts';
import * as notifications from './notifications.ts';
import * as offers from './offers.ts';
import * as ownAds from './own-ads.ts';
import * as pageTexts from './page-texts.ts';
import * as passkeys from './passkeys.ts';
import * as photos from './photos.ts';
import * as placeSearch from './place-search.ts';
import * as places from './places.ts';
import * as push from './push.ts';
import * as ratings from './ratings.ts';
import * as recovery from './recovery.ts';
import * as reports from './reports.ts';
import * as savedSearches from './saved-searches.ts';
import * as search from './search.ts';
import * as similar from './similar.ts';
import * as stats from './stats.ts';
import * as synonyms from './synonyms.ts';
import * as user from './user.ts';
import * as users from './users.ts';
import * as webhooks from './webhooks.ts';
import * as xPosting from './x-posting.ts';

const isEndpoint = (v: unknown): v is EndpointSpec =>
  typeof v === 'object' && v !== null && 'method' in v && 'path' in v;

const isSchema = (v: unknown): v is z.ZodMiniType => typeof v === 'object' && v !== null && '_zod' in v;

const areas = {
  auth,
  passkeys,
  recovery,
  accessTokens,
  ads,
  photos,
  deals,
  expiry,
  search,
  similar,
  places,
  placeSearch,
  savedSearches,
  favorites,
  messages,
  ownAds,
  imports,
  messagePhotos,
  conversations,
  offers,
  blocks,
  follows,
  ratings,
  notifications,
  notificationSettings,
  push,
  webhooks,
  email,
  users,
  stats,
  contact,
  clientErrors,
  admin,
  brand,
  pageTexts,
  adminCategories,
  analytics,
  synonyms,
  reports,
  xPosting,
};

export const endpoints: readonly { area: string; name: string; spec: EndpointSpec }[] = Object.entries(areas).flatMap(
  ([area, module]) =>
    Object.entries(module).flatMap(([name, spec]) => (isEndpoint(spec) ? [{ area, name, spec }] : [])),
);

/** The schemas that the contract exports, by name: `Ad`, `User`. */
export const namedSchemas: ReadonlyMap<string, z.ZodMiniType> = new Map(
  [...Object.values(areas), user].flatMap((module) =>
    Object.entries<unknown>(module).flatMap(([name, schema]) => (isSchema(schema) ? [[name, schema] as const] : [])),
  ),
);
