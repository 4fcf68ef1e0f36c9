import { json, type Reply } from './exchange.ts';

const problem = (status: number, title: string, detail: string, more: object = {}): Reply =>
  json(status, { title, detail, type: 'about:blank', status, ...more });

/** X's refusals, word for word as they were seen in the wild. */
export const invalidRequest = (message: string, parameters: object = {}): Reply =>
  json(400, {
    errors: [{ message, parameters }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.x.com/2/problems/invalid-request',
  });
export const unauthorized = () => problem(401, 'Unauthorized', 'Unauthorized');
export const creditsDepleted = () =>
  problem(402, 'Payment Required', 'credits depleted', { type: 'https://api.x.com/2/problems/credits-depleted' });
export const forbidden = (detail = 'You are not permitted to perform this action.') =>
  problem(403, 'Forbidden', detail);
export const duplicate = () => forbidden('You are not allowed to create a Tweet with duplicate content.');
export const suspended = () =>
  problem(403, 'Forbidden', 'The user used for authentication is suspended.', {
    type: 'https://api.twitter.com/2/problems/user-suspended',
  });
export const clientForbidden = () =>
  problem(403, 'Client Forbidden', 'When authenticating requests to the X API v2 endpoints, use a Project’s keys.', {
    reason: 'client-not-enrolled',
    type: 'https://api.twitter.com/2/problems/client-forbidden',
  });
export const locked = () => {
  const message = 'To protect our users from spam and other malicious activity, this account is temporarily locked.';
  return problem(403, 'Forbidden', message, { errors: [{ code: 326, message }] });
};
export const notFound = (id: string) =>
  json(404, {
    errors: [{ title: 'Not Found Error', detail: `Could not find tweet with id: [${id}].`, resource_id: id }],
  });
export const rateLimited = () => problem(429, 'Too Many Requests', 'Too Many Requests');
export const rateLimitedOldStyle = () => json(429, { errors: [{ code: 88, message: 'Rate limit exceeded' }] });
export const serverError = () => problem(500, 'Internal Server Error', 'Something is broken.');
export const unavailable = () => problem(503, 'Service Unavailable', 'Service Unavailable');
export const badGateway = (): Reply => ({
  status: 502,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
});

export const oauthError = (status: number, error: string, description: string): Reply =>
  json(status, { error, error_description: description });
