import { XError } from './x-error.ts';

/** A person as X describes them, in our words. */
export interface XProfile {
  /** X's numeric id; the only key to a person, handles are recycled. */
  id: string;
  username: string;
  displayName: string;
  /** The 400 px picture. */
  avatar: string | null;
  isVerified: boolean;
  /** 'blue', 'business', 'government' or 'none', as X reports it. */
  verifiedType: string | null;
  /** null where X did not say: keep the value one has. */
  isPremium: boolean | null;
  xAccountCreated: string | null;
  /** Only with the scope users.email and the app's switch for it. */
  email: string | null;
}

export const PROFILE_FIELDS = 'created_at,profile_image_url,subscription_type,verified,verified_type';
const CHECKED = new Set(['blue', 'business', 'government']);

/**
 * Reads the `data` of `GET /2/users/me`. Verified and premium are separate things: Basic subscribers have no check,
 * some accounts are verified with type "none".
 * @throws {XError} when id or username is missing or malformed (a partial error inside a 200)
 */
export const readProfile = (data: unknown): XProfile => {
  const raw = (data ?? {}) as Record<string, unknown>;
  const { id, username } = raw;
  if (
    typeof id !== 'string' ||
    !/^\d{1,20}$/.test(id) ||
    typeof username !== 'string' ||
    !/^\w{1,50}$/.test(username)
  ) {
    throw new XError('GET /2/users/me: no usable profile in the answer', { failure: 'lost' });
  }
  const verifiedType = asText(raw.verified_type)?.toLowerCase() ?? null;
  const subscription = asText(raw.subscription_type)?.toLowerCase();
  return {
    id,
    username,
    displayName: asText(raw.name)?.slice(0, 100) ?? username,
    avatar: readAvatar(raw.profile_image_url),
    isVerified: raw.verified === true || CHECKED.has(verifiedType ?? ''),
    verifiedType,
    isPremium: subscription === undefined ? null : subscription !== 'none',
    xAccountCreated: readDate(raw.created_at),
    email: asText(raw.confirmed_email) ?? asText(raw.email) ?? null,
  };
};

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

/** `_normal` is 48 px; X serves the same picture at 400 px under `_400x400`. */
const readAvatar = (value: unknown): string | null => {
  const url = asText(value);
  return url && URL.canParse(url) && /^https?:/.test(url) ? url.replace(/_normal(?=\.\w+$)/, '_400x400') : null;
};

const readDate = (value: unknown): string | null => {
  const date = new Date(asText(value) ?? '');
  return Number.isNaN(date.valueOf()) ? null : date.toISOString();
};
