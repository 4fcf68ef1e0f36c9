import type * as api from '../../../contract/webhooks.ts';
import { sayStored } from '../../error-phrases.ts';
import type { DeliveryRow } from './deliveries-repository.ts';
import type { WebhookRow } from './webhooks-repository.ts';

export const toMessageId = (uuid: string): string => `msg_${uuid.replaceAll('-', '')}`;

export const presentWebhook = (row: WebhookRow, now: Date): api.Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  format: row.format,
  isOn: row.is_on,
  offReason: row.off_reason,
  failingSince: row.failing_since,
  formerSecretUntil: row.former_until !== null && new Date(row.former_until) > now ? row.former_until : null,
  createdAt: row.created_at,
});

export const presentDelivery = (row: DeliveryRow): api.WebhookDelivery => ({
  id: row.id,
  messageId: toMessageId(row.message_id),
  type: row.type,
  status: row.status,
  attempts: row.attempts,
  responseStatus: row.response_status,
  error: row.error && sayStored(row.error, row.error_phrase),
  durationMs: row.duration_ms,
  createdAt: row.created_at,
  lastAttemptAt: row.last_at,
  nextAttemptAt: row.status === 'waiting' ? row.next_at : null,
});
