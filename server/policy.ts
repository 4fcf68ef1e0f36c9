import type { Access } from '../contract/endpoint.ts';
import type { AdRow, UserRow } from './db/rows.ts';

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

const idOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.id : null);
const roleOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.role : null);

// Every authorization rule, on one page. True allows. What is private is refused as if it did not exist (404), what is
// public but not one's own as forbidden (403): actions choose the answer, the rules are here and nowhere else.
// `make mutate` takes away each condition in turn and expects a test over HTTP to notice.

type OwnedAd = Pick<AdRow, 'user_id' | 'state' | 'seller_banned'>;

/** May do what the administration does. */
export const isAdmin = (actor: Actor): boolean => actor.kind === 'operator' || roleOf(actor) === 'admin';

/** Is this very person. */
export const isSelf = (actor: Actor, userId: string): boolean => idOf(actor) === userId;

/** May call an endpoint at all. */
export const mayCall = (actor: Actor, access: Access): boolean =>
  access === 'public' || (access === 'user' ? actor.kind === 'user' : isAdmin(actor));

/** May read a person's private things: hidden ads, e-mail address, role. */
export const maySeePrivate = (actor: Actor, userId: string): boolean => isSelf(actor, userId) || isAdmin(actor);

/** May open a person's profile: anybody while that person is in good standing. Without a handle there is none to open. */
export const maySeeProfile = (actor: Actor, user: Pick<UserRow, 'id' | 'username' | 'banned_at'>): boolean =>
  (user.username !== null && user.banned_at === null) || maySeePrivate(actor, user.id);

/** Anybody may open the ad's page: it is active and its seller in good standing. In lists, `listed` adds time to that. */
export const isPublicAd = (ad: OwnedAd): boolean => ad.state === 'active' && !ad.seller_banned;

/** May open the ad's page, and save the ad. Hidden ads are there for their owner and administrators, deleted ones for nobody. */
export const maySeeAd = (actor: Actor, ad: OwnedAd): boolean =>
  ad.state !== 'deleted' && (isPublicAd(ad) || maySeePrivate(actor, ad.user_id));

/** May edit, delete, renew an ad that they see, or mark it sold. Administrators have calls of their own, which are audited. */
export const mayChangeAd = (actor: Actor, ad: OwnedAd): boolean => isSelf(actor, ad.user_id);

/** May post ads: people with a handle, because an ad leads to its seller. */
export const mayPostAd = (user: Pick<UserRow, 'username'>): boolean => user.username !== null;

/** May put an external link on ads. */
export const mayLinkOut = (user: Pick<UserRow, 'can_link_out'>): boolean => user.can_link_out;

type Other = Pick<UserRow, 'id' | 'banned_at' | 'deleted_at'>;

/** May write the first message about an ad: to its seller, not to oneself, while the ad is public and takes messages. */
export const mayStartConversation = (
  actor: Actor,
  ad: OwnedAd & Pick<AdRow, 'allow_messages'>,
  other: Other,
): boolean => other.id === ad.user_id && !isSelf(actor, other.id) && isPublicAd(ad) && ad.allow_messages;

/** May write on in a conversation that has begun: until the ad is deleted or the other person gone or banned. */
export const mayContinueConversation = (ad: OwnedAd, other: Other): boolean =>
  ad.state !== 'deleted' && other.banned_at === null && other.deleted_at === null;

/** An administrator may ban or delete this person: never oneself, and never the last of them. */
export const mayRemoveUser = (actor: Actor, userId: string, admins: readonly { id: string }[]): boolean =>
  !isSelf(actor, userId) && !isLastAdmin(userId, admins);

/** Without this person nobody could administer the site. `admins`: those in good standing. */
export const isLastAdmin = (userId: string, admins: readonly { id: string }[]): boolean =>
  admins.length === 1 && admins[0]?.id === userId;
