import { type Page, type Paging, readPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';

export type ContactRow = Tables['contact_messages'];

export const insertContact = async (
  trx: Trx,
  values: Pick<ContactRow, 'name' | 'email' | 'subject' | 'message' | 'user_id'>,
): Promise<string> => {
  const [row] = await trx('contact_messages').insert(values).returning<{ id: string }[]>('id');
  return row!.id;
};

export const findContact = (db: Db, id: string): Promise<ContactRow | undefined> =>
  db<ContactRow>('contact_messages').where({ id }).first();

export const markMailed = async (db: Db, id: string): Promise<void> => {
  await db('contact_messages').where({ id }).update({ mailed_at: db.fn.now() });
};

export const deleteContactRow = async (trx: Trx, id: string): Promise<boolean> =>
  (await trx('contact_messages').where({ id }).delete()) > 0;

export interface ContactFilter extends Paging {
  since?: string | undefined;
}

export const pageContacts = (db: Db, { since, ...paging }: ContactFilter): Promise<Page<ContactRow>> => {
  const query = db('contact_messages');
  if (since) query.where('created_at', '>=', since);
  return readPage(query, paging);
};
