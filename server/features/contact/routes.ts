import * as api from '../../../contract/contact.ts';
import { route } from '../../endpoints/define.ts';
import { sendContact } from './service.ts';

export const contactRoutes = [
  route(api.sendContact, ({ actor, body, once }) =>
    once(async (ctx) => {
      await sendContact(ctx, actor, body);
      return { received: true as const };
    }),
  ),
];
