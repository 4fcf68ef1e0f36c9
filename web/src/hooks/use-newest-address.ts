import { useContext, useSyncExternalStore } from 'react';
import { type NavigateOptions, UNSAFE_DataRouterContext as RouterContext } from 'react-router-dom';

/**
 * The address that a person asked for last, at once. The page of it takes a while, and `useLocation` has the address of the
 * page. What changes an address builds on this one.
 */
export const useNewestAddress = () => {
  // hooks of React Router give the address of the page, so the router itself is asked; every page has one of this kind
  const router = useContext(RouterContext)!.router;
  const read = () => {
    const { pathname, search } = router.state.navigation.location ?? router.state.location;
    return pathname + search;
  };
  const newest = useSyncExternalStore(router.subscribe, read, read);
  const change = (next: (newest: string) => string, options: NavigateOptions) =>
    void router.navigate(next(read()), options);
  return { newest, change };
};
