import { useRef } from 'react';
import { t } from '../../../../contract/i18n.ts';
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
import { SegmentedChoice } from '../../ui/segmented-choice.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { KIND_TEXTS } from './kinds.ts';
import { applyChange, type Change, PRESETS, toChange, toPreset, toUndo } from './presets.ts';

const KINDS = Object.entries(KIND_TEXTS) as [NotificationKind, (typeof KIND_TEXTS)[NotificationKind]][];
const GROUPS = [...new Set(KINDS.map(([, { group }]) => group))];

interface NotificationChoicesProps {
  channels: readonly Channel[];
  /** All e-mail is off: its column cannot be changed. */
  isEmailPaused: boolean;
}

/** Three presets, and folded under them each kind and channel. Each choice is stored when it is made. */
export const NotificationChoices = ({ channels, isEmailPaused }: NotificationChoicesProps) => {
  const toast = useToast();
  const query = useApiQuery(getNotificationSettings, {});
  // one request after the other, so that the last of two quick clicks counts
  const queueRef = useRef(Promise.resolve());

  const save = (settings: NotificationSettings, change: Change) => {
    const show = (shown: Change) =>
      void query.mutate((now) => now && applyChange(now as NotificationSettings, shown), { revalidate: false });
    show(change);
    queueRef.current = queueRef.current
      .then(() => apiRequest(updateNotificationSettings, { body: change }))
      .then(
        () => {},
        (failure: unknown) => {
          show(toUndo(settings, change));
          toast.error(getErrorMessage(failure, t('notifications.saveFailed')));
        },
      );
  };

  return (
    <Query of={query} failure={t('notifications.settingsFailed')} loading={<SkeletonRegion boxes={['h-28']} />}>
      {(loaded) => {
        const settings = loaded as NotificationSettings;
        const preset = toPreset(settings, channels);
        return (
          <div className="grid gap-4">
            <SegmentedChoice
              legend={t('shell.notifications')}
              choices={PRESETS.map(([name, key]) => [name, t(key)] as const)}
              value={preset}
              onChange={(chosen) => save(settings, toChange(chosen, channels))}
            />
            <details>
              <summary className="w-fit py-3 text-sm font-medium">
                {t('notifications.chooseEach')}
                {preset ? null : (
                  <>
                    {' '}
                    <span className="ms-1 font-normal text-muted-foreground">{t('notifications.chosenEach')}</span>
                  </>
                )}
              </summary>
              <table className="w-full max-w-2xl text-sm">
                <caption className="sr-only">{t('notifications.caption')}</caption>
                <thead>
                  <tr>
                    <th scope="col" className="text-start font-normal text-muted-foreground">
                      <span className="sr-only">{t('notifications.notification')}</span>
                    </th>
                    {channels.map((channel) => (
                      <th key={channel} scope="col" className="w-14 font-medium text-muted-foreground sm:w-20">
                        {t(`notifications.channel_${channel}`)}
                      </th>
                    ))}
                  </tr>
                </thead>
                {GROUPS.map((group) => (
                  <tbody key={group}>
                    <tr>
                      <th scope="rowgroup" colSpan={channels.length + 1} className="pt-4 pb-1 text-start font-semibold">
                        {t(group)}
                      </th>
                    </tr>
                    {KINDS.filter(([, texts]) => texts.group === group).map(([kind, { label, hint }]) => (
                      <tr key={kind} className="border-t border-border">
                        <th scope="row" className="py-2 pe-2 text-start font-normal hyphens-auto wrap-anywhere">
                          {t(label)}
                          {hint ? <span className="block text-muted-foreground">{t(hint)}</span> : null}
                        </th>
                        {channels.map((channel) => (
                          <td key={channel} className="p-0 text-center">
                            <label className="inline-flex size-11 items-center justify-center">
                              <input
                                type="checkbox"
                                aria-label={t('notifications.channelKind', {
                                  channel: t(`notifications.channel_${channel}`),
                                  kind: t(label),
                                })}
                                checked={settings[kind][channel]}
                                disabled={channel === 'email' && isEmailPaused}
                                onChange={({ target }) => save(settings, { [kind]: { [channel]: target.checked } })}
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
            </details>
          </div>
        );
      }}
    </Query>
  );
};
