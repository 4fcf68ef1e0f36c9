import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { useNewestAddress } from '../../hooks/use-newest-address.ts';
import { changeParams } from '../../lib/change-params.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useToast } from '../../ui/toast/toast.tsx';
import type { ToastMessage } from '../../ui/toast/toast-message.ts';

const failure = (title: string, description: string): ToastMessage => ({ title, description, variant: 'destructive' });

/** The toast of each result that a redirect from X adds to the address, by parameter. */
const listToasts = (): Record<string, Record<string, ToastMessage>> => ({
  auth: {
    denied: failure(t('session.authCancelled'), t('session.authDenied')),
    error: failure(t('session.authFailed'), t('session.authError')),
    'other-browser': failure(t('session.authFailed'), t('session.authOtherBrowser')),
    'x-suspended': failure(t('session.authRefused'), t('session.authXSuspended')),
    suspended: failure(t('session.authRefused'), t('session.authSuspended')),
  },
  x: {
    connected: {
      title: t('session.xConnected'),
      description: t('session.xConnectedText'),
    },
    denied: failure(t('session.xNotConnected'), t('session.xDenied')),
    error: failure(t('session.xNotConnected'), t('session.xError')),
    scopes: failure(t('session.xNotConnected'), t('session.xScopes')),
    'other-account': failure(t('session.xNotConnected'), t('session.xOtherAccount')),
    suspended: failure(t('session.xNotConnected'), t('session.xSuspended')),
    'signed-out': failure(t('session.xSignedOut'), t('session.xSignedOutText')),
  },
});

/** Shows the result of a redirect from X and removes it from the address. A separate chunk, as it is rarely needed. */
export const RedirectToast = ({ parameter }: { parameter: string }) => {
  const [params] = useSearchParams();
  const { change } = useNewestAddress();
  const toast = useToast();
  const result = params.get(parameter);
  // of a user who was deleted while suspended
  const until = parameter === 'auth' && result === 'suspended' ? params.get('until') : null;
  const removeResult = useEffectEvent(() =>
    change((newest) => changeParams(newest, { [parameter]: undefined, until: undefined }), {
      replace: true,
      preventScrollReset: true,
    }),
  );
  useEffect(() => {
    if (!result) return;
    const message = listToasts()[parameter]?.[result];
    if (until && !Number.isNaN(Date.parse(until)))
      toast(failure(t('session.authRefused'), t('session.suspendedUntil', { time: formatDateTime(until) })));
    else if (message) toast(message);
    removeResult();
  }, [parameter, result, until, toast]);
  return null;
};
