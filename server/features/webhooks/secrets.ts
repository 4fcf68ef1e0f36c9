import type { Config } from '../../config/load.ts';
import { createEncryption } from '../../lib/encryption.ts';
import type { WebhookRow } from './webhooks-repository.ts';

type Stored = Pick<WebhookRow, 'secret' | 'key_id' | 'former_secret' | 'former_key_id'>;

const toOwner = (id: string): string => `webhook:${id}`;

/** Whether this site can keep secrets. */
export const hasKeys = ({ tokenEncKey }: Pick<Config, 'tokenEncKey'>): boolean => tokenEncKey.length > 0;

export const hasKey = ({ tokenEncKey }: Pick<Config, 'tokenEncKey'>, keyId: string): boolean =>
  createEncryption(tokenEncKey).has(keyId);

export const encryptSecret = ({ tokenEncKey }: Pick<Config, 'tokenEncKey'>, id: string, secret: string) => {
  const encryption = createEncryption(tokenEncKey);
  return { secret: encryption.encrypt(secret, toOwner(id)), key_id: encryption.keyId };
};

/** The newest secret, and while it is changed also the former one. @throws if the key is gone */
export const decryptSecrets = (
  { tokenEncKey }: Pick<Config, 'tokenEncKey'>,
  id: string,
  { secret, key_id, former_secret, former_key_id }: Stored,
  isChanging: boolean,
): string[] => {
  const encryption = createEncryption(tokenEncKey);
  const newest = encryption.decrypt(secret, key_id, toOwner(id));
  if (!isChanging || !former_secret || former_key_id === null) return [newest];
  return [newest, encryption.decrypt(former_secret, former_key_id, toOwner(id))];
};
