import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { IdParams, Timestamp } from './scalars.ts';
import { text } from './text.ts';
import { Me } from './user.ts';

/** A key pair in a person's device or password manager. The site stores the public half. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: Timestamp,
  lastUsedAt: z.nullable(Timestamp),
});
export type Passkey = z.output<typeof Passkey>;

const PasskeyName = text({ max: LIMITS.passkeyName, required: 'fields.namePasskey' });

const NOT_FROM_BROWSER = "Must be the browser's answer";

/** `bytes`: how long the value is at most, before base64url. */
const bytes = (max: number) =>
  z
    .string(NOT_FROM_BROWSER)
    .check(z.maxLength(Math.ceil((max * 4) / 3), NOT_FROM_BROWSER), z.regex(/^[\w-]+$/, NOT_FROM_BROWSER));

// the standard allows ids of 1023 bytes and handles of 64
const CredentialId = bytes(1023);
const ClientData = bytes(4096);

const KeyType = z.literal('public-key', NOT_FROM_BROWSER);

/** RegistrationResponseJSON of WebAuthn, as far as the site reads it. */
export const NewCredential = z.object(
  {
    id: CredentialId,
    rawId: CredentialId,
    type: KeyType,
    response: z.object({ clientDataJSON: ClientData, attestationObject: bytes(16_384) }, NOT_FROM_BROWSER),
  },
  NOT_FROM_BROWSER,
);
export type NewCredential = z.output<typeof NewCredential>;

/** AuthenticationResponseJSON of WebAuthn, as far as the site reads it. */
export const UsedCredential = z.object(
  {
    id: CredentialId,
    rawId: CredentialId,
    type: KeyType,
    response: z.object(
      {
        clientDataJSON: ClientData,
        authenticatorData: bytes(4096),
        signature: bytes(4096),
        userHandle: z.nullish(bytes(64)),
      },
      NOT_FROM_BROWSER,
    ),
  },
  NOT_FROM_BROWSER,
);
export type UsedCredential = z.output<typeof UsedCredential>;

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn. */
export const CreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: KeyType, alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(z.object({ type: KeyType, id: z.string() })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type CreationOptions = z.output<typeof CreationOptions>;

/** PublicKeyCredentialRequestOptionsJSON of WebAuthn: any passkey of this site will do. */
export const RequestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
});
export type RequestOptions = z.output<typeof RequestOptions>;

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/passkeys',
  summary: "The signed-in user's passkeys, newest first",
  access: 'user',
  scope: 'session',
  reply: z.array(Passkey),
  tags: ['passkeys'],
});

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/passkeys/options',
  summary: `What a browser needs to make a passkey; its challenge works once, for ${LIMITS.challengeMinutes} minutes`,
  access: 'user',
  scope: 'session',
  reply: CreationOptions,
  limit: 'passkey',
  errors: ['conflict'],
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/passkeys',
  summary: "Adds a passkey, ends the user's other sessions and tells them by mail and notification",
  access: 'user',
  scope: 'session',
  body: z.object({ name: PasskeyName, credential: NewCredential }),
  reply: Passkey,
  status: 201,
  limit: 'accessChange',
  invalidates: ['passkeys', 'notifications', 'unreadNotifications'],
  errors: ['conflict'],
});

export const renamePasskey = endpoint({
  method: 'PATCH',
  path: '/api/passkeys/:id',
  summary: 'Names a passkey',
  access: 'user',
  scope: 'session',
  params: IdParams,
  body: z.object({ name: PasskeyName }),
  reply: Passkey,
  invalidates: ['passkeys'],
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/passkeys/:id',
  summary: "Removes a passkey, ends the user's other sessions and tells them; 409 for the last way in",
  access: 'user',
  scope: 'session',
  params: IdParams,
  limit: 'accessChange',
  invalidates: ['passkeys', 'notifications', 'unreadNotifications'],
  errors: ['conflict'],
});

export const beginPasskeySignIn = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/options',
  summary: `What a browser needs to sign in with a passkey; the challenge works once, for ${LIMITS.challengeMinutes} minutes`,
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  reply: RequestOptions,
  limit: 'passkey',
});

export const signInWithPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkey',
  summary: 'Signs in with a passkey',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  body: z.object({ credential: UsedCredential }),
  reply: Me,
  limit: 'passkey',
  errors: ['invalid_credentials', 'account_banned'],
});

export const switchPasswordOff = endpoint({
  method: 'DELETE',
  path: '/api/admin/password',
  summary: "Switches the administrator's password off and ends their other sessions; 409 without a passkey",
  access: 'admin',
  scope: 'session',
  limit: 'accessChange',
  invalidates: ['notifications', 'unreadNotifications'],
  errors: ['conflict'],
});
