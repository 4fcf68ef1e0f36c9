import type { Trx } from '../../db/pools.ts';

// One query a part, in words that a person understands. Tokens, password hashes and session ids are secrets, not data.
const PARTS = {
  profile: `select id, x_id as "xId", username, display_name as "displayName", avatar, email, role,
      is_verified as "isVerified", verified_type as "verifiedType", is_premium as "isPremium",
      x_account_created as "xAccountCreated", can_link_out as "canLinkOut", post_to_x as "postToX",
      created_at as "joinedAt", last_seen_at as "lastSeenAt"
    from users where id = :userId and deleted_at is null`,
  ads: `select a.id, a.title, a.description, a.price, c.name as category, a.location, a.external_link as "externalLink",
      a.allow_messages as "allowMessages", a.state, a.state_reason as "stateReason", a.is_sold as "isSold",
      a.sold_at as "soldAt", a.expires_at as "expiresAt", coalesce(v.views, 0) as views,
      a.created_at as "createdAt", a.updated_at as "updatedAt",
      (select coalesce(json_agg('/media/' || encode(i.sha256, 'hex') || '/full.jpg' order by i.position), '[]')
       from ad_images i where i.ad_id = a.id) as images
    from ads a join categories c on c.id = a.category_id left join ad_views v on v.ad_id = a.id
    where a.user_id = :userId and a.state <> 'deleted' order by a.id`,
  favorites: `select f.ad_id as "adId", a.title, f.created_at as "savedAt"
    from favorites f join ads a on a.id = f.ad_id where f.user_id = :userId order by f.id`,
  messages: `select id, ad_id as "adId", sender_id as "senderId", receiver_id as "receiverId", content,
      is_read as "isRead", created_at as "createdAt"
    from messages where sender_id = :userId or receiver_id = :userId order by id`,
  sessions: `select kind, created_at as "startedAt", last_seen_at as "lastSeenAt", expires_at as "endsAt"
    from sessions where user_id = :userId order by created_at`,
  xAccount: `select x_id as "xId", scopes, status, autopost_ads_at as "autopostAdsSince",
      autopost_favorites_at as "autopostFavoritesSince", updated_at as "updatedAt"
    from x_accounts where user_id = :userId`,
  xPosts: `select kind, ad_id as "adId", body, status, x_post_id as "xPostId", created_at as "createdAt"
    from x_posts where user_id = :userId order by id`,
  contactMessages: `select name, email, subject, message, created_at as "createdAt"
    from contact_messages where user_id = :userId order by id`,
  administration: `select at, action, target_type as "targetType", target_id as "targetId"
    from audit_log where actor_id = :userId order by id`,
};

/** Everything stored about a person; undefined when there is none. */
export const readExport = async (trx: Trx, userId: string): Promise<Record<string, unknown> | undefined> => {
  const parts: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(PARTS))
    parts[name] = (await trx.raw<{ rows: unknown[] }>(sql, { userId })).rows;
  const { profile: [profile] = [], xAccount: [xAccount = null] = [], ...lists } = parts;
  return profile === undefined ? undefined : { profile, xAccount, ...lists };
};
