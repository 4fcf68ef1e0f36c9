import { useCallback } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import { getMe, logout, X_SIGN_IN } from '../../../contract/auth.ts';
import type { Me } from '../../../contract/user.ts';
import { forgetSearches } from '../lib/recent-searches.ts';
import { deleteDrafts } from '../lib/storage.ts';
import { apiRequest, getShownUserId, hasStatus, reportAccountChange, setShownUserId } from './client.ts';

export const ME_KEY = getMe.path;

const fetchMe = async (): Promise<Me | null> => {
  const me = await apiRequest(getMe).catch((error: unknown) => {
    if (hasStatus(error, 401)) return null;
    throw error;
  });
  const shown = getShownUserId();
  if (!me || shown === undefined || shown === me.id) return me;
  // The page must not change the user while it shows the data of another.
  reportAccountChange();
  throw new Error('Another account is signed in');
};

const RETRY_MS = 3000;

/**
 * The signed-in user, or null if signed out. Undefined while unknown: a server error does not sign the user out, and
 * the query is repeated.
 */
export const useSession = (): { user: Me | null | undefined; isLoading: boolean } => {
  const { data, isLoading } = useSWR<Me | null>(ME_KEY, fetchMe, {
    shouldRetryOnError: true,
    errorRetryInterval: RETRY_MS,
  });
  return { user: data, isLoading };
};

/** Replaces the signed-in user. Discards cached data and drafts of the previous user; signing out forgets their searches, too. */
export const useReplaceSession = () => {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (user: Me | null): Promise<void> => {
      deleteDrafts();
      if (!user) forgetSearches();
      setShownUserId(user?.id ?? '');
      await mutate(ME_KEY, user, { revalidate: false });
      await mutate((key) => key !== ME_KEY, undefined, { revalidate: true });
    },
    [mutate],
  );
};

export const endSession = (): Promise<undefined> => apiRequest(logout);

export type SignOut = () => Promise<void>;

interface FormGuard {
  isUnsaved: () => boolean;
  /** Asks the user, who decides whether to sign out. */
  ask: (signOut: SignOut) => void;
}

let currentGuard: FormGuard | undefined;

/** Sets the guard of the form on the page. Returns a function that removes it. */
export const guardForm = (guard: FormGuard): (() => void) => {
  currentGuard = guard;
  return () => {
    if (currentGuard === guard) currentGuard = undefined;
  };
};

/** Signs out, unless a form with unsaved changes asks first. */
export const requestSignOut = async (signOut: SignOut): Promise<void> => {
  if (currentGuard?.isUnsaved()) currentGuard.ask(signOut);
  else await signOut();
};

export const hasUnsavedForm = (): boolean => currentGuard?.isUnsaved() ?? false;

export const signInUrl = (returnTo: string): string => `${X_SIGN_IN.start}?returnTo=${encodeURIComponent(returnTo)}`;

export const startSignIn = (returnTo = location.pathname + location.search): void => {
  // Does not affect the HttpOnly session cookie. The server changes the session id itself.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere
  document.cookie = 'connect.sid=; Max-Age=0; Path=/';
  setTimeout(() => location.assign(signInUrl(returnTo)), 100);
};
