/** What an access token may be good for, as its owner chooses it. */
export const SCOPES = {
  'ads:read': 'Read ads as you see them, also your hidden ones, with their figures, sales and purchases',
  'ads:write': 'Post, edit, pause, renew, reserve, sell and delete your ads',
  'messages:read': 'Read your conversations, with their photos and offers',
  'messages:write': 'Write messages, and mark messages as read',
  'offers:write': 'Make and answer offers, undo purchases, and rate deals',
  'searches:read': 'Read your saved searches',
  'searches:write': 'Save, change and delete searches',
  'profile:read': 'Read your account, profiles, favorites, follows, blocks and notifications',
  'profile:write': 'Change your favorites, follows and blocks, and mark notifications as read',
  'admin:read': 'Read the panel: people, ads, cases, figures and settings',
  'admin:moderate': 'Decide cases, take ads down, warn and suspend people',
} as const;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];

/** Only staff may have and use these. */
export const isStaffScope = (scope: string): boolean => scope.startsWith('admin:');
