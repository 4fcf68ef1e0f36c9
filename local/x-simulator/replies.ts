import { z } from 'zod';

export interface Reply {
  status: number;
  body: object | string;
}

export const problem = (status: number, title: string, detail = title, more: object = {}): Reply => ({
  status,
  body: { title, detail, type: 'about:blank', status, ...more },
});

export const toInvalidRequest = (message: string, parameters: object): Reply => ({
  status: 400,
  body: {
    errors: [{ message, parameters }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.x.com/2/problems/invalid-request',
  },
});

const FORBIDDEN = 'You are not permitted to perform this action.';
const LOCKED = 'To protect our users from spam and other malicious activity, this account is temporarily locked.';

/** Errors of X. Each one is also a fault. */
export const REPLIES = {
  'server-error': problem(500, 'Internal Server Error', 'Something is broken.'),
  unavailable: problem(503, 'Service Unavailable'),
  'bad-gateway': {
    status: 502,
    body: '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
  },
  unauthorized: problem(401, 'Unauthorized'),
  'credits-depleted': problem(402, 'Payment Required', 'credits depleted', {
    type: 'https://api.x.com/2/problems/credits-depleted',
  }),
  forbidden: problem(403, 'Forbidden', FORBIDDEN),
  duplicate: problem(403, 'Forbidden', 'You are not allowed to create a Tweet with duplicate content.'),
  'client-forbidden': problem(
    403,
    'Client Forbidden',
    'When authenticating requests to the X API v2 endpoints, use a Project’s keys.',
    { reason: 'client-not-enrolled', type: 'https://api.twitter.com/2/problems/client-forbidden' },
  ),
  'user-suspended': problem(403, 'Forbidden', 'The user used for authentication is suspended.', {
    type: 'https://api.twitter.com/2/problems/user-suspended',
  }),
  locked: problem(403, 'Forbidden', LOCKED, { errors: [{ code: 326, message: LOCKED }] }),
  'rate-limited': problem(429, 'Too Many Requests'),
  'rate-limited-old-style': { status: 429, body: { errors: [{ code: 88, message: 'Rate limit exceeded' }] } },
  'invalid-request': toInvalidRequest('Rejected by a fault switch.', {}),
} satisfies Record<string, Reply>;

/** The other faults. The `-after` kinds do the work first and then drop or replace the response. */
const OTHER_FAULTS = [
  'slow',
  'slow-after',
  'drop-before',
  'drop-after',
  'unavailable-after',
  'bad-gateway-after',
  'huge',
] as const;

export const Fault = z.object({
  kind: z.enum([...(Object.keys(REPLIES) as (keyof typeof REPLIES)[]), ...OTHER_FAULTS]),
  method: z.string().optional(),
  /** Exact path. Undefined matches every API call. */
  path: z.string().optional(),
  times: z.int().default(1),
  delayMs: z.number().default(30_000),
  /** Seconds until `x-rate-limit-reset`, for the 429 kinds. */
  resetSeconds: z.number().default(60),
});
export type Fault = z.infer<typeof Fault>;
