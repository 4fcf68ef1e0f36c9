import { clsx as cn } from 'clsx';
import { MessageCircle } from 'lucide-react';
import { NavLink } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { formatPrice } from '../../../../contract/money.ts';
import { nameOf } from '../../lib/names.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { EmptyState, SkeletonRegion } from '../../ui/feedback.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { TimeAgo } from '../../ui/local-date.tsx';
import { Query } from '../../ui/query.tsx';
import { Rich } from '../../ui/rich.tsx';
import { MessageAdThumb, toTitle } from './message-ad.tsx';
import { getConversationKey, type InboxConversation, useInbox } from './use-inbox.ts';

/** The person's conversations. */
export const Inbox = ({ meId }: { meId: string }) => {
  const { list, ...query } = useInbox(meId);
  return (
    <Query
      of={query}
      failure={t('messages.loadFailed')}
      loading={<InboxSkeleton />}
      empty={
        <EmptyState icon={MessageCircle} title={t('messages.none')} text={t('messages.noneText')}>
          <LinkButton to="/">{t('shell.browseAds')}</LinkButton>
        </EmptyState>
      }
    >
      {(conversations) => (
        <>
          <ul className="grid gap-3">
            {conversations.map((conversation) => (
              <li key={getConversationKey(conversation)}>
                <InboxCard conversation={conversation} meId={meId} />
              </li>
            ))}
          </ul>
          <LoadMoreButton list={list} />
        </>
      )}
    </Query>
  );
};

export const InboxSkeleton = () => <SkeletonRegion className="grid gap-3" boxes={Array(3).fill('h-32')} />;

const toWords = ({ content, offer, photos = [], isWordless }: InboxConversation['latest']): string => {
  if (offer) return t('messages.offerLine', { amount: formatPrice(offer.amount) });
  return isWordless ? t('messages.photosLine', { count: photos.length }) : content;
};

/** A conversation of the inbox. All of it is the link to the conversation. */
export const InboxCard = ({ conversation, meId }: { conversation: InboxConversation; meId: string }) => {
  const { ad, other, latest, messages, unread } = conversation;
  const name = nameOf(other) || other.username || '';
  return (
    <Card
      className={cn(
        // one column where a phone shows text at twice the size
        'relative grid grid-cols-1 min-[15rem]:grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 p-4 hover:bg-surface has-aria-[current=page]:bg-accent',
        // a shadow: a wider border would push the content aside
        unread > 0 && 'shadow-[inset_4px_0_0_var(--primary)]',
      )}
    >
      <MessageAdThumb ad={ad} className="size-[min(4rem,20vw)]" />
      <div className="grid content-start gap-1">
        <div className="flex flex-wrap items-start gap-2">
          <h2 className={cn('min-w-0 grow basis-32 text-base font-medium', ad.isDeleted && 'text-muted-foreground')}>
            <bdi className="line-clamp-2">{toTitle(ad)}</bdi>
          </h2>
          {unread > 0 ? <Badge variant="primary">{t('messages.newCount', { count: unread })}</Badge> : null}
        </div>
        <div className="flex items-center gap-2 text-sm text-muted-foreground">
          <Avatar src={other.avatar} name={name} className="size-6 text-xs" />
          <p className="flex min-w-0 flex-wrap gap-x-2">
            <bdi className="truncate font-medium">{name}</bdi>
            <TimeAgo iso={latest.createdAt} />
          </p>
        </div>
        {/* the words are a box of their own: they are cut at their own end, not at that of the page's direction */}
        <p className={cn('flex gap-1', unread > 0 && 'font-semibold')}>
          <Rich
            text={latest.senderId === meId ? t('messages.youSaid') : '<words></words>'}
            words={() => <bdi className="line-clamp-2 min-w-0 wrap-anywhere">{toWords(latest)}</bdi>}
          />
        </p>
        <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted-foreground">
          {t('messages.count', { count: messages })}
          <NavLink to={`/messages/${ad.id}/${other.id}`} className="stretched-link leading-6 text-link">
            {t('messages.viewConversation')}
          </NavLink>
        </p>
      </div>
    </Card>
  );
};
