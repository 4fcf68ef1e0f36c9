import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { sendMessage } from '../../../../contract/messages.ts';
import { messageOf } from '../../api/api-error.ts';
import { call, createKey } from '../../api/client.ts';
import { useToast } from '../../ui/toast/toast-context.ts';
import { INBOX_KEY } from './inbox-key.ts';
import type { Conversing } from './use-conversation.ts';

/** A message that the server has not confirmed yet. Its key makes trying again safe: the server takes it once. */
export interface Outgoing {
  key: string;
  content: string;
  /** Id of the newest message on screen when it was written; '0' for none. */
  after: string;
  failed: boolean;
}

/** Sends messages; they show at once, and stay with a way to try again when that fails. */
export const useOutbox = ({ adId, otherUserId }: Conversing, refreshThread: () => Promise<void>) => {
  const [outgoing, setOutgoing] = useState<Outgoing[]>([]);
  const { mutate } = useSWRConfig();
  const toast = useToast();

  const deliver = async (written: Omit<Outgoing, 'failed'>): Promise<boolean> => {
    const { key, content } = written;
    setOutgoing((all) => [...all.filter((one) => one.key !== key), { ...written, failed: false }]);
    try {
      await call(sendMessage, { body: { adId, receiverId: otherUserId, content }, idempotencyKey: key });
    } catch (error) {
      setOutgoing((all) => all.map((one) => (one.key === key ? { ...one, failed: true } : one)));
      const description = messageOf(error, 'Please try again.');
      toast({ title: 'Failed to send message', description, variant: 'destructive' });
      return false;
    }
    await refreshThread().catch(() => {});
    setOutgoing((all) => all.filter((one) => one.key !== key));
    await mutate(INBOX_KEY);
    return true;
  };

  return {
    outgoing,
    send: (content: string, after: string) => deliver({ key: createKey(), content, after }),
    retry: (one: Outgoing) => deliver(one),
    discard: (key: string) => setOutgoing((all) => all.filter((one) => one.key !== key)),
    isSending: outgoing.some(({ failed }) => !failed),
  };
};
