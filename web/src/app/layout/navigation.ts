export const LINKS = [
  { to: '/', label: 'Browse' },
  { to: '/categories', label: 'Categories' },
  { to: '/how-it-works', label: 'Help' },
] as const;

export const X_SETTINGS = 'https://x.com/settings/account';

export const badgeCount = (count: number): string => (count > 99 ? '99+' : String(count));
