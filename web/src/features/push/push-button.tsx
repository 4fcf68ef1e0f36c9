import { BellOff, BellRing } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { ReplyOf } from '../../../../contract/endpoint.ts';
import { t } from '../../../../contract/i18n.ts';
import { listPushSubscriptions } from '../../../../contract/push.ts';
import { useApiQuery, useInvalidateQueries } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { announce } from '../../lib/announcer.tsx';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/feedback.tsx';
import { Query } from '../../ui/query.tsx';
import { disablePush, enablePush, findEndpoint, getPushSupport, type PushSupport } from './browser-push.ts';

interface BrowserState {
  support: PushSupport;
  permission: NotificationPermission;
  endpoint: string | null;
}

const readBrowser = async (): Promise<BrowserState> => {
  const support = getPushSupport();
  if (support !== 'supported') return { support, permission: 'default', endpoint: null };
  return { support, permission: Notification.permission, endpoint: await findEndpoint() };
};

/** The state of this browser, read again when its user changes the permission. */
const useBrowserState = () => {
  const [state, setState] = useState<BrowserState>();
  useEffect(() => {
    let isMounted = true;
    let status: PermissionStatus | undefined;
    const refresh = () =>
      void readBrowser().then((read) => {
        if (isMounted) setState(read);
      });
    refresh();
    navigator.permissions?.query({ name: 'notifications' }).then(
      (found) => {
        status = found;
        if (isMounted) status.addEventListener('change', refresh);
      },
      // Not every browser tells about changes.
      () => {},
    );
    return () => {
      isMounted = false;
      status?.removeEventListener('change', refresh);
    };
  }, []);
  return { state, refresh: async () => setState(await readBrowser()) };
};

/** Enables and disables push notifications in this browser, for the signed-in user. */
export const PushButton = ({ userId }: { userId: string }) => {
  const { state, refresh } = useBrowserState();
  const query = useApiQuery(listPushSubscriptions, {});
  const loading = (
    <SkeletonRegion>
      <Skeleton className="h-11" />
    </SkeletonRegion>
  );
  return (
    <Query of={query} failure={t('notifications.devicesFailed')} size="line" loading={loading}>
      {(devices) =>
        state ? <ThisDevice userId={userId} devices={devices} state={state} refresh={refresh} /> : loading
      }
    </Query>
  );
};

interface ThisDeviceProps {
  userId: string;
  devices: ReplyOf<typeof listPushSubscriptions>;
  state: BrowserState;
  refresh: () => Promise<void>;
}

const ThisDevice = ({ userId, devices, state, refresh }: ThisDeviceProps) => {
  const { siteName } = useSiteConfig();
  const invalidate = useInvalidateQueries();
  const { isBusy, run } = useAction();

  const change = async (action: () => Promise<unknown>, failure: string, done: string) => {
    const isDone = await run(action, failure);
    await Promise.all([refresh(), invalidate('pushSubscriptions')]);
    if (isDone && Notification.permission === 'granted') announce(done);
  };

  const isOn = state.permission === 'granted' && devices.some(({ endpoint }) => endpoint === state.endpoint);
  const others = devices.length - Number(isOn);
  const withOthers = (text: string): string =>
    others > 0 ? `${text} ${t('notifications.otherDevices', { count: others })}` : text;
  if (state.support === 'needs-home-screen')
    return <Row text={withOthers(t('notifications.needsHome', { site: siteName }))} />;
  if (state.support === 'unsupported') return <Row text={withOthers(t('notifications.unsupported'))} />;
  if (state.permission === 'denied') return <Row text={withOthers(t('notifications.blocked', { site: siteName }))} />;
  return isOn ? (
    <Row text={withOthers(t('notifications.pushOn'))}>
      <Button
        variant="outline"
        size="sm"
        busy={isBusy}
        onClick={() => void change(disablePush, t('notifications.pushDisableFailed'), t('notifications.pushNowOff'))}
      >
        <BellOff />
        {t('notifications.pushDisable')}
      </Button>
    </Row>
  ) : (
    <Row text={withOthers(t('notifications.pushOffer', { site: siteName }))}>
      <Button
        size="sm"
        busy={isBusy}
        onClick={() =>
          void change(() => enablePush(userId), t('notifications.pushFailed'), t('notifications.pushNowOn'))
        }
      >
        <BellRing />
        {t('notifications.pushEnable')}
      </Button>
    </Row>
  );
};

const Row = ({ text, children }: { text: string; children?: ReactNode }) => {
  // A browser that refuses takes the button away.
  const focusFallback = useFocusFallback<HTMLDivElement>();
  return (
    <div
      {...focusFallback}
      tabIndex={-1}
      data-slot="push"
      className="flex flex-wrap items-center justify-between gap-3"
    >
      <p className="min-w-0 grow basis-64 text-sm text-muted-foreground">{text}</p>
      {children}
    </div>
  );
};
