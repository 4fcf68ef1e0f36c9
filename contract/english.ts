import account from '../messages/en/account.json' with { type: 'json' };
import ad from '../messages/en/ad.json' with { type: 'json' };
import admin from '../messages/en/admin.json' with { type: 'json' };
import analytics from '../messages/en/analytics.json' with { type: 'json' };
import auth from '../messages/en/auth.json' with { type: 'json' };
import brand from '../messages/en/brand.json' with { type: 'json' };
import category from '../messages/en/category.json' with { type: 'json' };
import contact from '../messages/en/contact.json' with { type: 'json' };
import content from '../messages/en/content.json' with { type: 'json' };
import dashboard from '../messages/en/dashboard.json' with { type: 'json' };
import deals from '../messages/en/deals.json' with { type: 'json' };
import decisions from '../messages/en/decisions.json' with { type: 'json' };
import detail from '../messages/en/detail.json' with { type: 'json' };
import errors from '../messages/en/errors.json' with { type: 'json' };
import expiry from '../messages/en/expiry.json' with { type: 'json' };
import fields from '../messages/en/fields.json' with { type: 'json' };
import filters from '../messages/en/filters.json' with { type: 'json' };
import follows from '../messages/en/follows.json' with { type: 'json' };
import forms from '../messages/en/forms.json' with { type: 'json' };
import head from '../messages/en/head.json' with { type: 'json' };
import icon from '../messages/en/icon.json' with { type: 'json' };
import imports from '../messages/en/imports.json' with { type: 'json' };
import list from '../messages/en/list.json' with { type: 'json' };
import lowerPrice from '../messages/en/lowerPrice.json' with { type: 'json' };
import mailLinks from '../messages/en/mailLinks.json' with { type: 'json' };
import mails from '../messages/en/mails.json' with { type: 'json' };
import messages from '../messages/en/messages.json' with { type: 'json' };
import mistakes from '../messages/en/mistakes.json' with { type: 'json' };
import moderation from '../messages/en/moderation.json' with { type: 'json' };
import news from '../messages/en/news.json' with { type: 'json' };
import notifications from '../messages/en/notifications.json' with { type: 'json' };
import offline from '../messages/en/offline.json' with { type: 'json' };
import ownProfile from '../messages/en/ownProfile.json' with { type: 'json' };
import page from '../messages/en/page.json' with { type: 'json' };
import pages from '../messages/en/pages.json' with { type: 'json' };
import passkeyProblems from '../messages/en/passkeyProblems.json' with { type: 'json' };
import passkeys from '../messages/en/passkeys.json' with { type: 'json' };
import people from '../messages/en/people.json' with { type: 'json' };
import person from '../messages/en/person.json' with { type: 'json' };
import photos from '../messages/en/photos.json' with { type: 'json' };
import post from '../messages/en/post.json' with { type: 'json' };
import profile from '../messages/en/profile.json' with { type: 'json' };
import reasons from '../messages/en/reasons.json' with { type: 'json' };
import recover from '../messages/en/recover.json' with { type: 'json' };
import recovery from '../messages/en/recovery.json' with { type: 'json' };
import report from '../messages/en/report.json' with { type: 'json' };
import reservations from '../messages/en/reservations.json' with { type: 'json' };
import sale from '../messages/en/sale.json' with { type: 'json' };
import scopes from '../messages/en/scopes.json' with { type: 'json' };
import searches from '../messages/en/searches.json' with { type: 'json' };
import session from '../messages/en/session.json' with { type: 'json' };
import settings from '../messages/en/settings.json' with { type: 'json' };
import shell from '../messages/en/shell.json' with { type: 'json' };
import states from '../messages/en/states.json' with { type: 'json' };
import suggestions from '../messages/en/suggestions.json' with { type: 'json' };
import tokens from '../messages/en/tokens.json' with { type: 'json' };
import webhooks from '../messages/en/webhooks.json' with { type: 'json' };
import xPost from '../messages/en/xPost.json' with { type: 'json' };
import xPosting from '../messages/en/xPosting.json' with { type: 'json' };
import xPosts from '../messages/en/xPosts.json' with { type: 'json' };

/**
 * The English catalogs, which every process has without reading a file. The build for the browser leaves them out
 * (`catalogs` in web/scripts/catalogs.ts): a page loads those of its language and of its areas.
 */
export const ENGLISH = {
  account,
  ad,
  admin,
  analytics,
  auth,
  brand,
  category,
  contact,
  content,
  dashboard,
  deals,
  decisions,
  detail,
  errors,
  expiry,
  fields,
  filters,
  follows,
  forms,
  head,
  icon,
  imports,
  list,
  lowerPrice,
  mailLinks,
  mails,
  messages,
  mistakes,
  moderation,
  news,
  notifications,
  offline,
  ownProfile,
  page,
  pages,
  passkeyProblems,
  passkeys,
  people,
  person,
  photos,
  post,
  profile,
  reasons,
  recover,
  recovery,
  report,
  reservations,
  sale,
  scopes,
  searches,
  session,
  settings,
  shell,
  states,
  suggestions,
  tokens,
  webhooks,
  xPost,
  xPosting,
  xPosts,
};
