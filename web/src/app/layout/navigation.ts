/** The places the navbar and the drawer lead to. */
export const LINKS = [
  { to: '/', label: 'Browse' },
  { to: '/categories', label: 'Categories' },
  { to: '/how-it-works', label: 'Help' },
] as const;

/** X's page for the settings of one's account. */
export const X_SETTINGS = 'https://x.com/settings/account';

/** "99+" above 99. */
export const badgeCount = (count: number): string => (count > 99 ? '99+' : String(count));
