/** What an access token may be good for. Their words: `scope-words.ts`. */
const NAMES = [
  'ads:read',
  'ads:write',
  'messages:read',
  'messages:write',
  'offers:write',
  'searches:read',
  'searches:write',
  'profile:read',
  'profile:write',
  'admin:read',
  'admin:moderate',
] as const;
export type Scope = (typeof NAMES)[number];
export const SCOPE_NAMES: [Scope, ...Scope[]] = [...NAMES];

/** Only staff may have and use these. */
export const isStaffScope = (scope: string): boolean => scope.startsWith('admin:');
