import { type ConversationStatus, getConversationStatus } from '../../../../contract/messages.ts';
import { fetchCached, useCall } from '../../api/use-call.ts';
import { usePoll } from '../../lib/use-poll.ts';
import type { Conversing } from './use-conversation.ts';

// a thousand open conversations ask three times a second
const EVERY_MS = 300_000;

/** Whether one may write, and about what: no news tell of a sale or a suspension, so it is asked for now and then. */
export const useConversationStatus = (params: Conversing): ConversationStatus | undefined => {
  const { data, mutate } = useCall(getConversationStatus, { params }, { revalidateOnMount: true });
  usePoll(() => mutate(fetchCached(getConversationStatus, { params }), { revalidate: false }), EVERY_MS);
  return data;
};
