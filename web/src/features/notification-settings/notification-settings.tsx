import { BellRing } from 'lucide-react';
import { Link } from 'react-router-dom';
import { getMyEmail } from '../../../../contract/email.ts';
import { t } from '../../../../contract/i18n.ts';
import { useApiQuery } from '../../api/query.ts';
import { useSectionLink } from '../../hooks/use-section-link.ts';
import { Card } from '../../ui/card.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { Query } from '../../ui/query.tsx';
import { Rich } from '../../ui/rich.tsx';
import { PushButton } from '../push/push-button.tsx';
import { EmailAddress } from './email-address.tsx';
import { NotificationChoices } from './notification-choices.tsx';

const ID = 'notification-settings';

/** Says which notifications go to which channel. */
export const NotificationSettings = ({ userId }: { userId: string }) => {
  // the link of the mail opens in another tab
  const query = useApiQuery(getMyEmail, {}, { revalidateOnFocus: true });
  const headingRef = useSectionLink(ID, query.data !== undefined);
  return (
    <section aria-labelledby={ID}>
      <h2 ref={headingRef} id={ID} tabIndex={-1} className="mb-3 w-fit scroll-mt-24 section-heading">
        {t('notifications.settingsTitle')}
      </h2>
      <Query
        of={query}
        failure={t('notifications.settingsTitleFailed')}
        loading={<SkeletonRegion boxes={['h-152 rounded-card md:h-128']} />}
      >
        {(email) => (
          <Card className="grid gap-6 *:max-w-2xl">
            <p className="text-sm text-muted-foreground">
              <Rich
                text={t('notifications.intro')}
                link={(words) => (
                  <Link to="/notifications" className="prose-link">
                    {words}
                  </Link>
                )}
              />
            </p>
            <NotificationChoices
              channels={email.isOffered ? ['email', 'push'] : ['push']}
              isEmailPaused={email.isPaused}
            />
            {email.isOffered ? <EmailAddress email={email} /> : null}
            <div className="grid gap-3">
              <h3 className="flex items-center gap-2 font-semibold">
                <BellRing className="size-5" /> {t('notifications.channel_push')}
              </h3>
              <PushButton userId={userId} />
            </div>
          </Card>
        )}
      </Query>
    </section>
  );
};
