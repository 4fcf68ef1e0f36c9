/** Guards that are no rule of the policy: what statements and presenters hold back by themselves. `without` disarms one. */
export interface Guard {
  file: string;
  guard: string;
  without: string;
}

export const GUARDS: readonly Guard[] = [
  {
    file: 'server/features/messages/repository.ts',
    guard: 'id = :id and receiver_id = :receiverId)',
    without: 'id = :id and :receiverId::bigint > 0)',
  },
  {
    file: 'server/features/messages/repository.ts',
    guard: "'(seller_id, buyer_id) in",
    without: "'true or (seller_id, buyer_id) in",
  },
  {
    file: 'server/features/ads/repository.ts',
    guard: `"and a.state = 'active' and not a.seller_banned"`,
    without: `''`,
  },
  {
    file: 'server/features/ads/search/query-builder.ts',
    guard: "join(['listed', ...conditions, hasCursor",
    without: "join(['true', ...conditions, hasCursor",
  },
  {
    file: 'server/features/ads/search/query-builder.ts',
    guard: "join(['listed', ...given(filter)",
    without: "join(['true', ...given(filter)",
  },
  {
    file: 'server/features/ads/search/query-builder.ts',
    guard: "const scope = ['listed', ",
    without: "const scope = ['true', ",
  },
  { file: 'server/features/ads/ad-images.ts', guard: '!existing.includes(sha256)', without: 'false' },
  { file: 'server/features/ads/presenter.ts', guard: 'row.seller_can_link_out ?', without: 'true ?' },
  { file: 'server/features/ads/presenter.ts', guard: 'maySeePrivate(actor, row.user_id) ?', without: 'true ?' },
  { file: 'server/features/favorites/presenter.ts', guard: 'if (maySeeAd(actor, row))', without: 'if (true)' },
  {
    file: 'server/features/favorites/repository.ts',
    guard: 'where f.user_id = :userId',
    without: 'where :userId::bigint > 0',
  },
  { file: 'server/features/messages/presenter.ts', guard: 'maySeeAd(actor, row) ?', without: 'true ?' },
  {
    file: 'server/features/account/removal.ts',
    guard: 'await endSessions(trx, { userId: id });',
    without: '',
  },
  { file: 'server/features/ads/repository.ts', guard: 'seller_banned: isHidden, state', without: 'state' },
  {
    file: 'server/features/ads/repository.ts',
    guard: 'a.seller_banned or u.banned_at is not null as seller_banned',
    without: 'a.seller_banned',
  },
  {
    file: 'server/features/messages/broker.ts',
    guard: 'of hearing.get(userId) ?? []',
    without: 'of [...hearing.values()].flatMap((own) => [...own])',
  },
  { file: 'server/http/response-cache/fast-lane.ts', guard: ' && headers.host === host', without: '' },
  { file: 'server/http/response-cache/fast-lane.ts', guard: ' && maintenance.isOff()', without: '' },
  { file: 'server/http/response-cache/fast-lane.ts', guard: " && lifecycle.phase === 'ready'", without: '' },
  { file: 'server/http/response-cache/fast-lane.ts', guard: ' || hasJustWritten(req) ||', without: ' ||' },
  {
    file: 'server/http/response-cache/fast-lane.ts',
    guard: 'answer.isForSignedOut && !isSignedOut(req)',
    without: 'false',
  },
  { file: 'server/http/session/cookie.ts', guard: 'if (index < 0) return undefined;', without: '' },
  { file: 'server/http/sse/event-streams.ts', guard: "!live.has(sidHash.toString('hex'))", without: 'false' },
  {
    file: 'server/features/search/service.ts',
    guard: 'wanted.every((word) => found.includes(word))',
    without: 'found.length >= 0',
  },
  {
    file: 'server/features/auth/session-repository.ts',
    guard: 'and u.banned_at is null and u.deleted_at is null',
    without: '',
  },
];
