import { createWebhook, type NewWebhook, type WebhookEvent } from '../../contract/webhooks.ts';
import type { AppContext } from '../../server/app-context.ts';
import { sendWebhooks } from '../../server/features/webhooks/dispatcher.ts';
import type { Client } from './client.ts';

/** A key for the secrets that only these tests have. */
export const WEBHOOK_ENV = { TOKEN_ENC_KEY: 'a-key-for-webhooks-that-only-tests-use-0000' };

export const addWebhook = (
  client: Client,
  url: string,
  events: WebhookEvent[],
  more: { of?: 'site'; format?: NewWebhook['format'] } = {},
): Promise<NewWebhook> => client.ok(createWebhook, { body: { url, events, ...more } });

/** Sends what is due, to the end. */
export const sendDue = (app: AppContext): Promise<void> => sendWebhooks(app, new AbortController().signal);
