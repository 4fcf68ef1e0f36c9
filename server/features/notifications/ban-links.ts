import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { signLink } from './link-tokens.ts';

/**
 * The path of the page where a banned person reads why, and appeals. For their mail address, or for a browser in which X just
 * proved who they are.
 */
export const toBanPath = (
  ctx: Pick<AppContext, 'config' | 'clock'>,
  { id: userId, created_at: createdAt }: { id: string; created_at: string },
): string => {
  const payload = { userId, userSince: Date.parse(createdAt) };
  return `/ban?token=${signLink(ctx, 'ban', payload, LIMITS.appealDays * 86_400)}`;
};
