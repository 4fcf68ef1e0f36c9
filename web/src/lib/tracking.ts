/** What advertisers and mail programs add to links. The server ignores it, as every parameter that is no filter. */
const TRACKING = /^(utm_\w+|(fb|g|d|tt|tw|y)clid|msclkid|[gw]braid|igshid|mc_[ce]id|ref_src)$/;

/** Call before the router reads the address: nobody should share, save or reload what tracks them. */
export const dropTracking = (): void => {
  const url = new URL(location.href);
  const names = [...url.searchParams.keys()].filter((name) => TRACKING.test(name));
  if (names.length === 0) return;
  for (const name of names) url.searchParams.delete(name);
  history.replaceState(history.state, '', url);
};
