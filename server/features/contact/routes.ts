import * as api from '../../../contract/contact.ts';
import { route } from '../../http/route.ts';
import { sendContact } from './actions.ts';

export const contactRoutes = [
  route(api.sendContact, ({ app, actor, body, once }) =>
    once(async (db) => {
      await sendContact({ ...app, db }, actor, body);
      return { received: true as const };
    }),
  ),
];
