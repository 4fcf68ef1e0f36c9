import type { Db } from '../../db/connect.ts';
import { type Page, parseCursor, toPage } from '../../db/paginate.ts';
import type { ContactRow } from './store.ts';

export interface ContactFilter {
  since?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** What the contact form sent, newest first. */
export const pageContacts = async (db: Db, { since, cursor, limit }: ContactFilter): Promise<Page<ContactRow>> => {
  const before = parseCursor(cursor);
  const query = db<ContactRow>('contact_messages')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (since) query.where('created_at', '>=', since);
  if (before) query.where('id', '<', before);
  return toPage((await query) as ContactRow[], limit, (row) => row.id);
};
