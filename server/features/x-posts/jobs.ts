export { revokeTokens } from './revocation.ts';
export { sendPost } from './send.ts';
export { sweepPosts } from './sweep.ts';
