import type { Access } from '../contract/endpoint.ts';
import type { AdRow, UserRow } from './db/tables.ts';

/** A signed-in, unbanned person. Role and ban are read from Postgres for every write, so both take effect at once. */
export interface UserActor {
  readonly kind: 'user';
  readonly id: string;
  readonly role: 'user' | 'admin';
}

/** Whoever runs the installation: the terminal, a job, a seed. Nobody's row; the name goes into the audit log. */
export interface OperatorActor {
  readonly kind: 'operator';
  readonly name: string;
}

export interface AnonymousActor {
  readonly kind: 'anonymous';
}

export type Actor = UserActor | OperatorActor | AnonymousActor;

export const ANONYMOUS: AnonymousActor = { kind: 'anonymous' };
export const operator = (name: string): OperatorActor => ({ kind: 'operator', name });

// Every authorization rule, on one page. True allows. What is public belongs to nobody; what is private is refused as if
// it did not exist (404), what is public but not one's own as forbidden (403): actions choose, the rules are here.
// test/security/mutate-policy.ts removes each rule in turn and expects the tests to notice.

type OwnedAd = Pick<AdRow, 'user_id' | 'state' | 'seller_banned'>;

/** May do what the administration does. */
export const isAdmin = (actor: Actor): boolean =>
  actor.kind === 'operator' || (actor.kind === 'user' && actor.role === 'admin');

/** Is this very person. */
export const isSelf = (actor: Actor, userId: string): boolean => actor.kind === 'user' && actor.id === userId;

/** May call an endpoint at all. */
export const mayCall = (actor: Actor, access: Access): boolean =>
  access === 'public' || (access === 'admin' ? isAdmin(actor) : actor.kind === 'user');

/** May read a person's private things: hidden ads, e-mail address, role. */
export const maySeePrivate = (actor: Actor, userId: string): boolean => isSelf(actor, userId) || isAdmin(actor);

/** May open a person's profile: anybody while that person is in good standing. */
export const maySeeProfile = (actor: Actor, user: Pick<UserRow, 'id' | 'banned_at'>): boolean =>
  user.banned_at === null || maySeePrivate(actor, user.id);

/** May open the ad's page: anybody while it is active and its seller in good standing, else owner and administrators. */
export const maySeeAd = (actor: Actor, ad: OwnedAd): boolean =>
  ad.state !== 'deleted' && ((ad.state === 'active' && !ad.seller_banned) || maySeePrivate(actor, ad.user_id));

/** May edit, delete, renew the ad or mark it sold. Administrators have their own calls, which are audited. */
export const mayChangeAd = (actor: Actor, ad: OwnedAd): boolean => ad.state !== 'deleted' && isSelf(actor, ad.user_id);

/** May post ads: people with a handle, because an ad leads to its seller. */
export const mayPostAd = (user: Pick<UserRow, 'username'>): boolean => user.username !== null;

/** May put an external link on ads. */
export const mayLinkOut = (user: Pick<UserRow, 'can_link_out'>): boolean => user.can_link_out;

/** May write the first message about an ad: to its seller, while the ad is active and takes messages. */
export const mayStartConversation = (actor: Actor, ad: OwnedAd & Pick<AdRow, 'allow_messages'>): boolean =>
  actor.kind === 'user' &&
  !isSelf(actor, ad.user_id) &&
  maySeeAd(actor, ad) &&
  ad.state === 'active' &&
  ad.allow_messages;

/** May write on in a conversation that exists: until the ad is deleted or the other person gone or banned. */
export const mayContinueConversation = (
  ad: Pick<AdRow, 'state'>,
  other: Pick<UserRow, 'banned_at' | 'deleted_at'>,
): boolean => ad.state !== 'deleted' && other.banned_at === null && other.deleted_at === null;

/** May ban or delete this person: an administrator, and never oneself. */
export const mayRemoveUser = (actor: Actor, userId: string): boolean => isAdmin(actor) && !isSelf(actor, userId);
