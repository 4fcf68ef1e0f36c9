import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { says } from './says.ts';
import { EMAIL_ADDRESS, text } from './text.ts';

const REQUIRED = 'fields.fillAll';

/** Where to send the response. It is not confirmed, so any text that looks like an address will do. */
export const ContactEmail = z.pipe(
  text({ max: LIMITS.contactEmail, required: REQUIRED }),
  z.string().check(z.regex(EMAIL_ADDRESS, says('fields.emailAddress'))),
);

export const sendContact = endpoint({
  method: 'POST',
  path: '/api/contact',
  summary: 'Sends the contact form',
  access: 'public',
  scope: 'session',
  body: z.object({
    name: text({ max: LIMITS.contactName, required: REQUIRED }),
    email: ContactEmail,
    subject: text({ max: LIMITS.contactSubject, required: REQUIRED }),
    message: text({ max: LIMITS.contactMessage, required: REQUIRED, multiline: true }),
    website: z.optional(z.string().check(z.maxLength(500))),
  }),
  reply: z.object({ received: z.literal(true) }),
  status: 202,
  limit: 'contact',
  idempotent: true,
});
