import { BellOff, Link2Off, Mail, MailX } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { t } from '../../../contract/i18n.ts';
import { changeSubscription, getSubscription, type Subscription } from '../../../contract/notification-settings.ts';
import { useApiMutation, useApiQuery } from '../api/query.ts';
import { useAction } from '../api/use-action.ts';
import { KIND_TEXTS } from '../features/notification-settings/kinds.ts';
import { LinkPage, SettingsLink } from '../features/notification-settings/link-page.tsx';
import { useSiteConfig } from '../lib/site-config.tsx';
import { Button } from '../ui/button.tsx';
import { PageSkeleton } from '../ui/feedback.tsx';
import { Query } from '../ui/query.tsx';

/** The page of the link at the end of a mail. Only its buttons change something: mail programs open links by themselves. */
export const UnsubscribePage = () => {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const query = useApiQuery(getSubscription, token === '' ? null : { query: { token } });
  if (token === '')
    return (
      <LinkPage icon={Link2Off} title={t('mailLinks.incomplete')} text={t('mailLinks.incompleteText')}>
        <SettingsLink />
      </LinkPage>
    );
  return (
    <Query
      of={query}
      failure={t('mailLinks.subscriptionFailed')}
      refusal={({ status, reply }) =>
        status < 500 && reply && status !== 429 ? (
          <LinkPage icon={Link2Off} title={t('mailLinks.doesNotWork')} text={reply.message}>
            <SettingsLink />
          </LinkPage>
        ) : undefined
      }
      loading={<PageSkeleton />}
    >
      {(subscription) => <Choices token={token} initial={subscription} />}
    </Query>
  );
};

type What = 'kind' | 'all';

const Choices = ({ token, initial }: { token: string; initial: Subscription }) => {
  const { siteName } = useSiteConfig();
  const change = useApiMutation(changeSubscription);
  const { isBusy, run } = useAction();
  // the query is read again after a change
  const [before] = useState(initial);
  const [now, setNow] = useState(initial);
  const set = (what: What, isOn: boolean) => () =>
    void run(async () => setNow(await change({ body: { token, what, isOn } })), t('mailLinks.unchanged'));
  const label = t(KIND_TEXTS[now.kind].label);
  const undo = (what: What) => (
    <Button variant="outline" busy={isBusy} onClick={set(what, true)}>
      {(what === 'kind' ? before.isOn : !before.isPaused) ? t('mailLinks.undo') : t('mailLinks.turnOnAgain')}
    </Button>
  );

  if (now.isPaused)
    return (
      <LinkPage icon={MailX} title={t('mailLinks.noMore', { site: siteName })} text={t('mailLinks.noMoreText')}>
        {undo('all')}
        <SettingsLink />
      </LinkPage>
    );
  if (!now.isOn)
    return (
      <LinkPage
        icon={BellOff}
        title={t('mailLinks.kindOff', { kind: label })}
        text={t('mailLinks.kindOffText', { site: siteName })}
      >
        {undo('kind')}
        <Button variant="outline" busy={isBusy} onClick={set('all', false)}>
          {t('mailLinks.turnAllOff')}
        </Button>
        <SettingsLink />
      </LinkPage>
    );
  return (
    <LinkPage icon={Mail} title={t('mailLinks.stopQuestion', { kind: label })} text={t('mailLinks.stopText')}>
      <Button busy={isBusy} onClick={set('kind', false)}>
        {t('mailLinks.unsubscribe')}
      </Button>
      <Button variant="outline" busy={isBusy} onClick={set('all', false)}>
        {t('mailLinks.unsubscribeAll')}
      </Button>
    </LinkPage>
  );
};
