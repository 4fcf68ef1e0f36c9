export { dispatchPost, sweepPosts } from './outbox.ts';
export { revokeTokens } from './tokens.ts';
