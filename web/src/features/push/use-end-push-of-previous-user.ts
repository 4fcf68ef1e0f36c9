import { useEffect } from 'react';

/** Without the permission there is no subscription. Most people have not given it, and do not load the code. */
const mayHavePush = (): boolean =>
  'serviceWorker' in navigator && 'Notification' in window && Notification.permission === 'granted';

/** When a user is signed in, ends push notifications that another user enabled in this browser. */
export const useEndPushOfPreviousUser = (userId: string | undefined): void => {
  useEffect(() => {
    if (userId === undefined || !mayHavePush()) return;
    import('./browser-push.ts')
      .then((module) => module.endPushOfPreviousUser(userId))
      // The next page tries again.
      .catch(() => {});
  }, [userId]);
};
