import * as api from '../../../contract/contact.ts';
import { withDatabase } from '../../db/transaction.ts';
import { route } from '../../http/endpoints/define.ts';
import { sendContact } from './service.ts';

export const contactRoutes = [
  route(api.sendContact, ({ ctx, actor, body, once }) =>
    once(async (db) => {
      await sendContact(withDatabase(ctx, db), actor, body);
      return { received: true as const };
    }),
  ),
];
