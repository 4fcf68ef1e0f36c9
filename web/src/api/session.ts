import { useCallback } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import { getMe, logout } from '../../../contract/auth.ts';
import type { Me } from '../../../contract/user.ts';
import { forgetDrafts } from '../lib/storage.ts';
import { apiRequest } from './client.ts';

export const ME_KEY = getMe.path;

const fetchMe = (): Promise<Me | null> => apiRequest(getMe).catch(() => null);

/** Who is signed in; any failure means nobody. `user` is undefined while that is unknown. */
export const useSession = (): { user: Me | null | undefined; isLoading: boolean } => {
  const { data, isLoading } = useSWR<Me | null>(ME_KEY, fetchMe);
  return { user: data, isLoading };
};

/** Replaces the signed-in user and forgets everything that the former one had loaded or not yet sent. */
export const useReplaceSession = () => {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (user: Me | null): Promise<void> => {
      forgetDrafts();
      await mutate(ME_KEY, user, { revalidate: false });
      await mutate((key) => key !== ME_KEY, undefined, { revalidate: true });
    },
    [mutate],
  );
};

/** Ends the session on the server. */
export const endSession = (): Promise<undefined> => apiRequest(logout);

/** The address that starts signing in with X and comes back to a page of ours. */
export const signInUrl = (returnTo: string): string => `/api/auth/twitter?returnTo=${encodeURIComponent(returnTo)}`;

/** Starts signing in with X; comes back to the page one was on. */
export const startSignIn = (returnTo = location.pathname + location.search): void => {
  // Harmless: HttpOnly keeps the cookie out of our reach; the server changes the session's id itself.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere
  document.cookie = 'connect.sid=; Max-Age=0; Path=/';
  setTimeout(() => location.assign(signInUrl(returnTo)), 100);
};
