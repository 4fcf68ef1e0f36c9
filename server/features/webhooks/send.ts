import { speaking } from '../../../contract/i18n.ts';
import type { AppContext } from '../../app-context.ts';
import { PublicRequestError, postToPublicHost } from '../../integrations/public-request.ts';
import { readTextsOf } from '../../lib/catalogs.ts';
import { buildRequest, type ToldEvent } from './requests.ts';
import { type Answer, explainStatus, readRetryAfter } from './rules.ts';
import { decryptSecrets } from './secrets.ts';
import { signBody } from './signature.ts';
import type { WebhookRow } from './webhooks-repository.ts';

/** How long a receiver may take, from the look-up of its name to its status. */
export const TIMEOUT_MS = 10_000;

export type Receiver = Pick<WebhookRow, 'url' | 'format' | 'secret' | 'key_id' | 'former_secret' | 'former_key_id'> & {
  id: string;
  isChanging: boolean;
  /** Of its person; null: the marketplace's own. */
  language: string | null;
};

export interface Sent extends Answer {
  durationMs: number;
}

const UNREADABLE = { key: 'webhooks.secretUnreadable' } as const;

/** Sends one signed request. Whatever happens is an answer. `messageId`: the same in each attempt. */
export async function sendToReceiver(
  { config, clock, log }: Pick<AppContext, 'config' | 'clock' | 'log'>,
  receiver: Receiver,
  messageId: string,
  event: ToldEvent,
): Promise<Sent> {
  let secrets: string[];
  try {
    secrets = decryptSecrets(config, receiver.id, receiver, receiver.isChanging);
  } catch {
    return { status: null, error: UNREADABLE, durationMs: 0 };
  }
  const texts = readTextsOf(receiver, config);
  const { headers, body } = speaking(texts, () => buildRequest(receiver.format, event, config));
  const begun = performance.now();
  const end = (answer: Answer): Sent => ({ ...answer, durationMs: Math.round(performance.now() - begun) });
  const now = clock.now();
  const signed = signBody(body, { id: messageId, seconds: Math.floor(now.valueOf() / 1000), secrets });
  try {
    const { status, retryAfter } = await postToPublicHost({
      url: receiver.url,
      headers: { ...headers, ...signed, 'user-agent': 'Tradepost-Webhooks' },
      body: Buffer.from(body),
      timeoutMs: TIMEOUT_MS,
      allowsLoopback: !config.isProduction,
    });
    return end({ status, error: explainStatus(status), retryAfterMs: readRetryAfter(retryAfter, clock.now()) });
  } catch (error) {
    if (!(error instanceof PublicRequestError)) log.error({ err: error }, 'a webhook could not be sent');
    return end({
      status: null,
      error: error instanceof PublicRequestError ? error.phrase : { key: 'webhooks.notSent' },
    });
  }
}
