import { useRef } from 'react';
import {
  type Channel,
  getNotificationSettings,
  type NotificationSettings,
  updateNotificationSettings,
} from '../../../../contract/notification-settings.ts';
import type { NotificationKind } from '../../../../contract/notifications.ts';
import { apiRequest, getErrorMessage } from '../../api/client.ts';
import { useApiQuery } from '../../api/query.ts';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { KIND_TEXTS } from './kinds.ts';

const CHANNEL_LABELS: Record<Channel, string> = { email: 'E-mail', push: 'Push' };

const KINDS = Object.entries(KIND_TEXTS) as [NotificationKind, (typeof KIND_TEXTS)[NotificationKind]][];
const GROUPS = [...new Set(KINDS.map(([, { group }]) => group))];

const withChoice = (settings: NotificationSettings, kind: NotificationKind, channel: Channel, isOn: boolean) => ({
  ...settings,
  [kind]: { ...settings[kind], [channel]: isOn },
});

interface ChannelTableProps {
  channels: readonly Channel[];
  /** All e-mail is off: its column cannot be changed. */
  isEmailPaused: boolean;
}

/** A table of kinds and channels. Each box is stored when it is clicked. */
export const ChannelTable = ({ channels, isEmailPaused }: ChannelTableProps) => {
  const toast = useToast();
  const query = useApiQuery(getNotificationSettings, {});
  // one request after the other, so that the last of two quick clicks counts
  const queueRef = useRef(Promise.resolve());

  const handleChange = (kind: NotificationKind, channel: Channel, isOn: boolean) => {
    const show = (value: boolean) =>
      void query.mutate((now) => now && (withChoice(now as NotificationSettings, kind, channel, value) as typeof now), {
        revalidate: false,
      });
    show(isOn);
    queueRef.current = queueRef.current
      .then(() => apiRequest(updateNotificationSettings, { body: { [kind]: { [channel]: isOn } } }))
      .then(
        () => {},
        (failure: unknown) => {
          show(!isOn);
          toast.error(getErrorMessage(failure, 'The setting could not be saved. Please try again.'));
        },
      );
  };

  return (
    <Query of={query} failure="Failed to load your settings" loading={<SkeletonRegion boxes={['h-96']} />}>
      {(settings) => (
        <table className="w-full max-w-2xl text-sm">
          <caption className="sr-only">What you are notified about, and how</caption>
          <thead>
            <tr>
              <th scope="col" className="text-left font-normal text-muted-foreground">
                <span className="sr-only">Notification</span>
              </th>
              {channels.map((channel) => (
                <th key={channel} scope="col" className="w-14 font-medium text-muted-foreground sm:w-20">
                  {CHANNEL_LABELS[channel]}
                </th>
              ))}
            </tr>
          </thead>
          {GROUPS.map((group) => (
            <tbody key={group}>
              <tr>
                <th scope="rowgroup" colSpan={channels.length + 1} className="pt-4 pb-1 text-left font-semibold">
                  {group}
                </th>
              </tr>
              {KINDS.filter(([, texts]) => texts.group === group).map(([kind, { label, hint }]) => (
                <tr key={kind} className="border-t border-border">
                  <th scope="row" className="py-2 pr-2 text-left font-normal hyphens-auto wrap-anywhere">
                    {label}
                    {hint ? <span className="block text-muted-foreground">{hint}</span> : null}
                  </th>
                  {channels.map((channel) => (
                    <td key={channel} className="p-0 text-center">
                      <label className="inline-flex size-11 items-center justify-center">
                        <input
                          type="checkbox"
                          aria-label={`${CHANNEL_LABELS[channel]}: ${label}`}
                          checked={(settings as NotificationSettings)[kind][channel]}
                          disabled={channel === 'email' && isEmailPaused}
                          onChange={({ target }) => handleChange(kind, channel, target.checked)}
                          className="size-5 accent-primary disabled:opacity-55"
                        />
                      </label>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      )}
    </Query>
  );
};
