import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { says, saysTooLong } from './says.ts';
import { Id, IdParams, isHttpsUrl, PageQuery, Timestamp } from './scalars.ts';

/** Whom a webhook belongs to: a person, or the marketplace, whose webhooks administrators manage. */
export const WEBHOOK_OWNERS = ['me', 'site'] as const;
export type WebhookOwner = (typeof WEBHOOK_OWNERS)[number];

/** `discord` and `ntfy`: a sentence in the form that those two read. Their words: `webhook-words.ts`. */
export const FORMATS = ['standard', 'discord', 'ntfy'] as const;
export type WebhookFormat = (typeof FORMATS)[number];

/** Why an ad left the lists. `account`: its seller is suspended, banned or gone. */
export const ENDINGS = ['expired', 'paused', 'in_review', 'removed', 'deleted', 'account'] as const;

const AdSubject = z.object({ adId: z.string(), sellerId: z.string(), url: z.string() });
const OfferSubject = z.object({
  offerId: z.string(),
  messageId: z.string(),
  adId: z.string(),
  /** The other of the two. */
  personId: z.string(),
  amount: z.string(),
  currency: z.string(),
  url: z.string(),
});

/** What each event tells: ids to read the rest with, and the page. Nothing that people wrote leaves in a webhook. */
export const WEBHOOK_SUBJECTS = {
  'ad.listed': AdSubject,
  'ad.updated': AdSubject,
  'ad.sold': AdSubject,
  'ad.ended': z.extend(AdSubject, { reason: z.enum(ENDINGS) }),
  'offer.made': OfferSubject,
  'offer.accepted': OfferSubject,
  'message.received': z.object({ messageId: z.string(), adId: z.string(), personId: z.string(), url: z.string() }),
  'search.matched': z.object({ searchId: z.string(), adId: z.string(), url: z.string() }),
  'report.opened': z.object({ caseId: z.string(), targetType: z.string(), targetId: z.string(), url: z.string() }),
  'user.banned': z.object({ userId: z.string(), url: z.string() }),
} as const;
export type WebhookEvent = keyof typeof WEBHOOK_SUBJECTS;
export const WEBHOOK_EVENTS = Object.keys(WEBHOOK_SUBJECTS) as [WebhookEvent, ...WebhookEvent[]];
export type SubjectOf<E extends WebhookEvent> = z.output<(typeof WEBHOOK_SUBJECTS)[E]>;

/** Whose webhooks hear of an event: of the own ads and deals, or of everybody's. */
const OWNERS_OF: Readonly<Record<WebhookEvent, readonly WebhookOwner[]>> = {
  'ad.listed': ['me', 'site'],
  'ad.updated': ['me', 'site'],
  'ad.sold': ['me', 'site'],
  'ad.ended': ['me', 'site'],
  'offer.made': ['me'],
  'offer.accepted': ['me'],
  'message.received': ['me'],
  'search.matched': ['me'],
  'report.opened': ['site'],
  'user.banned': ['site'],
};

/** The events that a webhook of this owner may choose. */
export const listEventsOf = (owner: WebhookOwner): WebhookEvent[] =>
  WEBHOOK_EVENTS.filter((event) => OWNERS_OF[event].includes(owner));

const ADDRESS = says('fields.httpsAddress');
const LOOPBACK = /^http:\/\/(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?\//;

/** https without credentials. Outside production also http of this machine. */
const Url = z.string(says('fields.addressRequired')).check(
  z.minLength(1, says('fields.addressRequired')),
  z.maxLength(LIMITS.webhookUrl, saysTooLong(LIMITS.webhookUrl)),
  z.refine((s) => /^[!-~]*$/.test(s) && (isHttpsUrl(s) || (LOOPBACK.test(s) && URL.canParse(s))), ADDRESS),
);
const Events = z.array(z.enum(WEBHOOK_EVENTS, says('fields.unknownEvent')), says('fields.chooseEvent')).check(
  z.minLength(1, says('fields.chooseEvent')),
  z.maxLength(WEBHOOK_EVENTS.length, says('fields.manyEvents')),
  z.refine((events) => new Set(events).size === events.length, says('fields.eventsOnce')),
);
const Format = z.enum(FORMATS, says('fields.chooseFormat'));

/** `gone`: the receiver answered 410. `failing`: nothing was delivered for LIMITS.webhookFailingDays. */
export const OFF_REASONS = ['owner', 'gone', 'failing'] as const;

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  format: Format,
  isOn: z.boolean(),
  offReason: z.nullable(z.enum(OFF_REASONS)),
  /** Since when every delivery failed; null after one that arrived. */
  failingSince: z.nullable(Timestamp),
  /** Until then requests are also signed with the secret of before. */
  formerSecretUntil: z.nullable(Timestamp),
  createdAt: Timestamp,
});
export type Webhook = z.output<typeof Webhook>;

/** The secret is shown here and never again. */
export const NewWebhook = z.extend(Webhook, { secret: z.string() });
export type NewWebhook = z.output<typeof NewWebhook>;

export const DELIVERY_STATES = ['waiting', 'sending', 'delivered', 'failed'] as const;

export const WebhookDelivery = z.object({
  id: z.string(),
  /** The header webhook-id, the same in each attempt. */
  messageId: z.string(),
  type: z.enum(WEBHOOK_EVENTS),
  status: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  /** HTTP status of the last response. */
  responseStatus: z.nullable(z.number()),
  error: z.nullable(z.string()),
  durationMs: z.nullable(z.number()),
  createdAt: Timestamp,
  lastAttemptAt: z.nullable(Timestamp),
  nextAttemptAt: z.nullable(Timestamp),
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const WebhookTest = z.object({
  isDelivered: z.boolean(),
  responseStatus: z.nullable(z.number()),
  error: z.nullable(z.string()),
  durationMs: z.number(),
});
export type WebhookTest = z.output<typeof WebhookTest>;

const Owner = z.optional(z.enum(WEBHOOK_OWNERS, says('fields.webhookOwner')));

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  summary: `The signed-in user's webhooks, newest first; with of=site those of the marketplace, for administrators. At most ${LIMITS.webhooks}`,
  access: 'user',
  scope: 'session',
  query: z.object({ of: Owner }),
  reply: z.array(Webhook),
  tags: ['webhooks'],
  errors: ['forbidden'],
});

export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Adds a webhook; its secret is in this response alone',
  access: 'user',
  scope: 'session',
  body: z.object({ of: Owner, url: Url, events: Events, format: z.optional(Format) }),
  reply: NewWebhook,
  status: 201,
  errors: ['conflict', 'forbidden'],
  invalidates: ['webhooks'],
});

export const updateWebhook = endpoint({
  method: 'PATCH',
  path: '/api/webhooks/:id',
  summary: 'Changes a webhook, or switches it off or on. Off, nothing waits for it',
  access: 'user',
  scope: 'session',
  params: IdParams,
  body: z.object({
    url: z.optional(Url),
    events: z.optional(Events),
    format: z.optional(Format),
    isOn: z.optional(z.boolean()),
  }),
  reply: Webhook,
  invalidates: ['webhooks', 'webhookDeliveries'],
});

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  summary: 'Removes a webhook with its deliveries',
  access: 'user',
  scope: 'session',
  params: IdParams,
  invalidates: ['webhooks', 'webhookDeliveries'],
});

export const changeWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/secret',
  summary: `Makes a new secret, which is in this response alone; for ${LIMITS.webhookSecretHours} hours the old one signs as well`,
  access: 'user',
  scope: 'session',
  params: IdParams,
  reply: NewWebhook,
  invalidates: ['webhooks'],
});

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/test',
  summary: 'Sends an event of type webhook.test at once, and says what came back',
  access: 'user',
  scope: 'session',
  params: IdParams,
  reply: WebhookTest,
  changesNothing: true,
  limit: 'webhookTest',
});

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries',
  summary: `What was sent to a webhook in ${LIMITS.webhookDays} days, newest first`,
  access: 'user',
  scope: 'session',
  params: IdParams,
  query: PageQuery,
  reply: z.array(WebhookDelivery),
  paged: true,
  tags: ['webhookDeliveries'],
});

export const resendWebhookDelivery = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/deliveries/:deliveryId/send',
  summary: 'Sends a delivery again, under the same webhook-id; 409 while the webhook is off',
  access: 'user',
  scope: 'session',
  params: z.object({ id: Id, deliveryId: Id }),
  reply: WebhookDelivery,
  status: 202,
  errors: ['conflict'],
  invalidates: ['webhookDeliveries'],
});
