import * as contract from '../../../contract/access-tokens.ts';
import { type Route, route } from '../../endpoints/define.ts';
import { listTokensOf, type TokenRow } from '../auth/token-repository.ts';
import { createOwnToken, revokeOwnToken } from './tokens.ts';

const presentToken = (row: TokenRow): contract.AccessToken => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  lastFour: row.last_four,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
});

export const tokenRoutes: readonly Route[] = [
  route(contract.listAccessTokens, async ({ ctx, actor }) => (await listTokensOf(ctx.db, actor.id)).map(presentToken)),

  route(contract.createAccessToken, async ({ ctx, actor, body, request }) => {
    const change = { requestId: request.id, sessionHash: request.findSessionHash() };
    const created = await createOwnToken(ctx, actor, body, change);
    return { ...presentToken(created), token: created.token };
  }),

  route(contract.revokeAccessToken, ({ ctx, actor, params, request }) =>
    revokeOwnToken(ctx, actor, params.id, { requestId: request.id }),
  ),
];
