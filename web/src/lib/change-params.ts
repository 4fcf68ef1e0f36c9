/** An address with other parameters. Those that are undefined are removed. */
export const changeParams = (address: string, changes: Record<string, string | undefined>): string => {
  const [pathname = '', query] = address.split('?');
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) params.delete(name);
    else params.set(name, value);
  return params.size > 0 ? `${pathname}?${params}` : pathname;
};
