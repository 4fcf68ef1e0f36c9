import { useSyncExternalStore } from 'react';
import { t } from '../../../contract/i18n.ts';

const subscribe = (onChange: () => void) => {
  for (const name of ['online', 'offline']) window.addEventListener(name, onChange);
  return () => {
    for (const name of ['online', 'offline']) window.removeEventListener(name, onChange);
  };
};

export const useIsOffline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );

/** What an action says that failed: `failure`, or that there is no network. */
export const unlessOffline = (failure: string): string => (navigator.onLine ? failure : t('shell.offlineAction'));
