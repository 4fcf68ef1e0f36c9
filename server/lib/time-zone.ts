/** Whether PostgreSQL and JavaScript know a time zone by this name. Offsets are no names: the two read their signs oppositely. */
export const isTimeZone = (name: string): boolean => {
  // what Intl knows takes long to load, and most need none of it
  if (name === 'UTC') return true;
  try {
    return /^[A-Z]/i.test(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return false;
  }
};
