import { useEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { getUnreadCount, type Message, markMessageRead } from '../../../../contract/messages.ts';
import { call } from '../../api/client.ts';
import { INBOX_KEY } from './inbox-key.ts';

/** Marks received messages as read while they are on screen, each once; then the bell and the inbox count anew. */
export const useMarkRead = (messages: Message[] | undefined, userId: string | undefined): void => {
  const marked = useRef(new Set<string>());
  const { mutate } = useSWRConfig();
  useEffect(() => {
    const unread = (messages ?? []).filter(
      ({ id, isRead, receiverId }) => !isRead && receiverId === userId && !marked.current.has(id),
    );
    if (unread.length === 0 || document.hidden) return;
    for (const { id } of unread) marked.current.add(id);
    const markAll = async () => {
      await Promise.allSettled(unread.map(({ id }) => call(markMessageRead, { params: { id } })));
      await mutate(getUnreadCount.path);
      await mutate(INBOX_KEY);
    };
    void markAll();
  }, [messages, userId, mutate]);
};
