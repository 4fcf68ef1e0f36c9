import type { Guard } from './mutants.ts';

/** Checks in statements, presenters and the HTTP layer, outside of the policy's rules. */
export const GUARDS: readonly Guard[] = [
  {
    in: 'markRead',
    guard: 'id = :id and receiver_id = :receiverId)',
    without: 'id = :id and :receiverId::bigint > 0)',
  },
  { in: 'findConversation', guard: "'(seller_id, buyer_id) in", without: "'true or (seller_id, buyer_id) in" },
  { in: 'listSellerAds', guard: "and a.state = 'active' and not a.seller_banned", without: '' },
  { in: 'selectListed', guard: "'listed', ...conditions", without: "'true', ...conditions" },
  { in: 'pricedCtes', guard: "'listed', ...listNames(filter)", without: "'true', ...listNames(filter)" },
  { in: 'searchIds', guard: "const scope = ['listed',", without: "const scope = ['true'," },
  { in: 'parseAdImages', guard: '!existing.includes(sha256)', without: 'false' },
  { in: 'presentPublicAd', guard: 'row.seller_can_link_out ?', without: 'true ?' },
  { in: 'presentAd', guard: 'maySeePrivate(actor, row.user_id) ?', without: 'true ?' },
  { in: 'presentFavorite', guard: 'maySeeAd(actor, row) ?', without: 'true ?' },
  {
    in: 'listFavorites',
    file: 'favorites/repository',
    guard: 'where f.user_id = :userId',
    without: 'where :userId::bigint > 0',
  },
  { in: 'presentMessageAd', guard: 'maySeeAd(actor, row) ?', without: 'true ?' },
  { in: 'ban', file: 'account/', guard: 'await endSessions(trx, { userId: id });', without: '' },
  { in: 'updateSellerAds', guard: 'seller_banned: isHidden,', without: '' },
  {
    in: 'EXPRESSIONS',
    file: 'ads/repository',
    guard: 'u.banned_at is not null or coalesce(u.suspended_until > now(), false) as seller_banned',
    without: 'a.seller_banned',
  },
  {
    in: 'createMessageBroker',
    guard: 'of subscribers.get(userId) ?? []',
    without: 'of [...subscribers.values()].flatMap((own) => [...own])',
  },
  { in: 'serveFromCache', guard: '&& headers.host === host', without: '' },
  { in: 'serveFromCache', guard: '&& maintenance.isOff()', without: '' },
  { in: 'serveFromCache', guard: "&& lifecycle.phase === 'ready'", without: '' },
  { in: 'serveFromCache', guard: '|| hasJustWritten(req) ||', without: '||' },
  { in: 'serveFromCache', guard: 'cached.isForSignedOut && !isSignedOut(req)', without: 'false' },
  { in: 'readSid', guard: 'if (index < 0) return undefined;', without: '' },
  { in: 'createEventStreams', guard: "!live.has(sidHash.toString('hex'))", without: 'false' },
  { in: 'correctSearch', guard: 'wanted.every((word) => found.includes(word))', without: 'found.length >= 0' },
  { in: 'findSessionHolder', guard: 'and u.banned_at is null and u.deleted_at is null', without: '' },
];
