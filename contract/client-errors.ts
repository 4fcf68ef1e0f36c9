import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { text } from './text.ts';

/** Reports an error of a page's own code. Send no text that a person typed, and the path without its query. */
export const reportClientError = endpoint({
  method: 'POST',
  path: '/api/client-errors',
  summary: 'Reports an error of the page’s own code',
  access: 'public',
  bodyLimit: LIMITS.bodyClientError,
  body: z.object({
    /** Where it was caught: hydrating server-rendered HTML, rendering, or nowhere. */
    kind: z.enum(['hydration', 'render', 'unhandled']),
    message: text({ max: LIMITS.clientErrorMessage }),
    stack: z.optional(text({ max: LIMITS.clientErrorStack, multiline: true })),
    path: z.string().check(z.regex(/^\/[^?#\s]*$/), z.maxLength(200)),
  }),
  limit: 'clientError',
  changesNothing: true,
});
