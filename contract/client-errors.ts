import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { text } from './text.ts';

/** Reports an error of a page's own code. Send no text that a person typed, and send the path without its query. */
export const reportClientError = endpoint({
  method: 'POST',
  path: '/api/client-errors',
  summary: 'Reports an error of the page’s own code',
  access: 'public',
  scope: 'session',
  bodyLimit: LIMITS.bodyClientError,
  body: z.object({
    /** Where the error was caught: while hydrating server-rendered HTML, while rendering, or not at all. */
    kind: z.enum(['hydration', 'render', 'unhandled']),
    message: text({ max: LIMITS.clientErrorMessage }),
    stack: z.optional(text({ max: LIMITS.clientErrorStack, multiline: true })),
    path: z.string().check(z.regex(/^\/[^?#\s]*$/), z.maxLength(200)),
  }),
  limit: 'clientError',
  changesNothing: true,
});
