import type { InboxLine, InboxPage } from '../../../contract/conversations.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { ThreadMessage } from '../../../contract/messages.ts';
import type { AppContext } from '../../app-context.ts';
import type { Page } from '../../db/pagination.ts';
import type { ConversationRow, UserRow } from '../../db/rows.ts';
import { shortenLine } from '../../lib/html.ts';
import { isSelf, type UserActor } from '../../policy.ts';
import type { AdDetails } from '../ads/repository.ts';
import { listAdsByIds } from '../ads/repository.ts';
import { listOffersOfMessages } from '../deals/offers-repository.ts';
import { listPhotosOfMessages } from '../messages/photos-repository.ts';
import { presentMessageAd, presentThreadMessage, toMessageContext } from '../messages/presenter.ts';
import { countUnreadByConversation, listConversations, listMessagesByIds } from '../messages/repository.ts';
import { presentUser } from '../users/presenter.ts';
import { listUsersByIds } from '../users/repository.ts';

const presentAd = (row: AdDetails, actor: UserActor): InboxPage['ads'][number] => {
  const { id, title, thumbUrl, categorySlug, isDeleted } = presentMessageAd(row, actor, row.user_id);
  return { id, title, thumbUrl, categorySlug, isDeleted };
};

const presentPerson = (row: UserRow): InboxPage['people'][number] => {
  const { id, username, displayName, avatar, isDeleted } = presentUser(row);
  return { id, username, displayName, avatar, ...(isDeleted && { isDeleted }) };
};

const presentLatest = (message: ThreadMessage): InboxLine['latest'] => {
  const { id, senderId, createdAt, offer, photos, isWordless } = message;
  return {
    id,
    senderId,
    content: shortenLine(message.content, LIMITS.inboxText),
    createdAt,
    ...(offer && { offer }),
    ...(isWordless && { photos, isWordless }),
  };
};

export const readInbox = async (
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  actor: UserActor,
  cursor: string | undefined,
): Promise<{ inbox: InboxPage; page: Page<ConversationRow> }> => {
  const page = await listConversations(db, actor.id, cursor);
  const { rows } = page;
  const toOtherId = (row: ConversationRow) => (isSelf(actor, row.seller_id) ? row.buyer_id : row.seller_id);
  const [messages, unread, ads, people] = await Promise.all([
    listMessagesByIds(
      db,
      rows.map((row) => row.last_message_id),
    ),
    countUnreadByConversation(
      db,
      actor.id,
      rows.map(({ id }) => id),
    ),
    listAdsByIds(db, [...new Set(rows.map((row) => row.ad_id))]),
    listUsersByIds(db, [...new Set(rows.map(toOtherId))]),
  ]);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const wordless = messages.filter((message) => message.text_hash === null).map(({ id }) => id);
  const [offers, photos] = await Promise.all([listOffersOfMessages(db, wordless), listPhotosOfMessages(db, wordless)]);
  const context = toMessageContext(config, { ads: [], users: [], offers, photos });
  const lines = rows.flatMap((row) => {
    const latest = byId.get(row.last_message_id);
    if (latest === undefined) return [];
    return [
      {
        adId: row.ad_id,
        otherUserId: toOtherId(row),
        latest: presentLatest(presentThreadMessage(latest, context, actor)),
        messages: row.message_count,
        unread: unread.get(row.id) ?? 0,
      },
    ];
  });
  return {
    page,
    inbox: { lines, ads: ads.map((ad) => presentAd(ad, actor)), people: people.map(presentPerson) },
  };
};
