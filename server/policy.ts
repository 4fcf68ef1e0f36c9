import type { Access, EndpointSpec } from '../contract/endpoint.ts';
import { isStaffScope, type Scope } from '../contract/scopes.ts';
import { ROLES, type Role } from '../contract/user.ts';
import type { AdRow, OfferRow, UserRow } from './db/rows.ts';

export interface UserActor {
  readonly kind: 'user';
  readonly id: string;
  readonly role: Role;
  readonly hasBlocks?: boolean;
  /** When a suspension ends, or ended. */
  readonly suspendedUntil?: string | null;
  /** A program acts for this person, with an access token. */
  readonly token?: { readonly id: string; readonly scopes: readonly Scope[] };
  /** The language that the person has chosen. */
  readonly language?: string | null;
  /** That of the browser that the person used last. */
  readonly timeZone?: string | null;
}

/**
 * The operator of the installation: `marketctl`, a job, a seed. Has no row in users; the name goes into the audit log.
 */
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

/** Null for visitors and operators, who have no row in users. */
export const getUserId = (actor: Actor): string | null => (actor.kind === 'user' ? actor.id : null);
/** The access token with which a program acts. */
export const getTokenId = (actor: Actor): string | undefined => getToken(actor)?.id;
const getToken = (actor: Actor) => (actor.kind === 'user' ? actor.token : undefined);
const getRole = (actor: Actor): string | null => (actor.kind === 'user' ? actor.role : null);
/** Without a role below every user. */
const getRank = (actor: Actor): number => (actor.kind === 'user' ? ROLES.indexOf(actor.role) : -1);

// All authorization rules. True allows. Services choose the error: private things do not exist (404), public things of
// another user are forbidden (403). `make mutate` removes each condition in turn and expects a test to fail.

type OwnedAd = Pick<AdRow, 'user_id' | 'state' | 'seller_banned'>;

export const isAdmin = (actor: Actor): boolean => actor.kind === 'operator' || getRole(actor) === 'admin';

/** Moderators and administrators. */
export const isStaff = (actor: Actor): boolean => isAdmin(actor) || getRole(actor) === 'moderator';

/** A member of staff sees every case except those about themselves, which name the reporters. */
export const maySeeCase = (staff: Actor, personId: string): boolean => !isSelf(staff, personId);

/** A program acts for a person, with an access token. */
export const isProgram = (actor: Actor): boolean => getToken(actor) !== undefined;

/** Only staff may have tokens for what staff do. Whether their person still is, each use asks again (mayCall). */
export const mayHaveScope = (user: Pick<UserRow, 'role'>, scope: Scope): boolean =>
  !isStaffScope(scope) || user.role !== 'user';

/** A browser may call everything; a program what everyone may read, and what its token's scopes name. */
export const mayUseScope = (actor: Actor, scope: EndpointSpec['scope']): boolean =>
  !isProgram(actor) || scope === 'public' || getToken(actor)!.scopes.some((held) => held === scope);

/** Administrators ban and decide about bans, but no program of theirs does. */
export const mayBan = (actor: Actor): boolean => isAdmin(actor) && !isProgram(actor);

/** Only the person themselves, in a browser, agrees that the site posts to X in their name. */
export const mayConsentToPosts = (actor: UserActor): boolean => !isProgram(actor);

/** Staff act on users of a lower role only; the operator acts on everyone. */
export const mayActOn = (actor: Actor, other: Pick<UserRow, 'role'>): boolean =>
  actor.kind === 'operator' || getRank(actor) > ROLES.indexOf(other.role);

export const isSelf = (actor: Actor, userId: string): boolean => getUserId(actor) === userId;

/** Time itself ends a suspension, even if the job that clears `suspended_until` is late. */
export const isSuspended = (user: Pick<UserRow, 'suspended_until'>, now: Date): boolean =>
  new Date(user.suspended_until ?? 0) > now;

/** Banned or suspended: hidden from others, and may not write. */
export const isShutOut = (user: Pick<UserRow, 'banned_at' | 'suspended_until'>, now: Date): boolean =>
  user.banned_at !== null || isSuspended(user, now);

export const mayCall = (actor: Actor, access: Access): boolean => {
  if (access === 'public') return true;
  if (access === 'user') return actor.kind === 'user';
  return access === 'moderator' ? isStaff(actor) : isAdmin(actor);
};

/** When the actor's suspension ends; null if they are not suspended now. */
export const getSuspensionEnd = (actor: Actor, now: Date): string | null => {
  const until = (actor.kind === 'user' && actor.suspendedUntil) || null;
  return isSuspended({ suspended_until: until }, now) ? until : null;
};

/** A suspended user calls only endpoints that say so, and reads as a visitor does. */
export const mayCallSuspended = ({ access, method, whileSuspended = false }: EndpointSpec): boolean =>
  whileSuspended || (access === 'public' && method === 'GET');

/** Webhooks of a person are that person's; those of the marketplace (no owner) are the administrators'. */
export const mayManageWebhooks = (actor: Actor, ownerId: string | null): boolean =>
  ownerId === null ? isAdmin(actor) : isSelf(actor, ownerId) || actor.kind === 'operator';

export const maySeePrivate = (actor: Actor, userId: string): boolean => isSelf(actor, userId) || isAdmin(actor);

/** Sees what others may not see at the moment: hidden ads, and profiles of banned and suspended users. */
export const maySeeHidden = (actor: Actor, userId: string): boolean => isSelf(actor, userId) || isStaff(actor);

/** Everyone may open a profile, unless its user is banned or suspended or has no handle. */
export const maySeeProfile = (
  actor: Actor,
  user: Pick<UserRow, 'id' | 'username' | 'banned_at' | 'suspended_until'>,
  now: Date,
): boolean => (user.username !== null && !isShutOut(user, now)) || maySeeHidden(actor, user.id);

/**
 * Everyone may open the ad's page: it is active and its seller is neither banned nor suspended. Lists also check its
 * dates (`listed`).
 */
export const isPublicAd = (ad: OwnedAd): boolean => ad.state === 'active' && !ad.seller_banned;

/** Hidden by its owner for now, which people who saved it or write about it may know. */
export const isPausedAd = (ad: OwnedAd): boolean => ad.state === 'paused' && !ad.seller_banned;

/** May open and save the ad. Only the owner and staff see hidden ads; deleted ads are never visible. */
export const maySeeAd = (actor: Actor, ad: OwnedAd): boolean =>
  ad.state !== 'deleted' && (isPublicAd(ad) || maySeeHidden(actor, ad.user_id));

/** May see the photo of a message: its sender and its receiver; until it is sent, who uploaded it. */
export const maySeeMessagePhoto = (
  actor: Actor,
  photo: { user_id: string; message_id: string | null; sender_id: string | null; receiver_id: string | null },
): boolean =>
  photo.message_id === null
    ? isSelf(actor, photo.user_id)
    : [photo.sender_id, photo.receiver_id].some((id) => id !== null && isSelf(actor, id));

/** May edit, delete or renew the ad, or mark it sold. Administrators use separate endpoints, which are audited. */
export const mayChangeAd = (actor: Actor, ad: OwnedAd): boolean => isSelf(actor, ad.user_id);

/** A handle is required, because an ad links to its seller. */
export const mayPostAd = (user: Pick<UserRow, 'username'>): boolean => user.username !== null;

export const mayLinkOut = (user: Pick<UserRow, 'can_link_out'>): boolean => user.can_link_out;

type Other = Pick<UserRow, 'id' | 'banned_at' | 'suspended_until' | 'deleted_at'>;

/**
 * May write the first message to the ad's seller, who is another user, while the ad is public and allows messages and
 * neither blocked the other.
 */
export const mayStartConversation = (
  actor: Actor,
  ad: OwnedAd & Pick<AdRow, 'allow_messages'>,
  other: Other,
  { isBlocked, now }: { isBlocked: boolean; now: Date },
): boolean =>
  other.id === ad.user_id &&
  !isSelf(actor, other.id) &&
  !isBlocked &&
  !isShutOut(other, now) &&
  other.deleted_at === null &&
  isPublicAd(ad) &&
  ad.allow_messages;

/**
 * May continue a conversation, until the ad is deleted, the other user is deleted, banned or suspended, or one blocks the
 * other.
 */
export const mayContinueConversation = (
  ad: OwnedAd,
  other: Other,
  { isBlocked, now }: { isBlocked: boolean; now: Date },
): boolean => !isBlocked && ad.state !== 'deleted' && !isShutOut(other, now) && other.deleted_at === null;

/** An offer exists for the two people of its conversation only. */
export const maySeeOffer = (actor: Actor, offer: Pick<OfferRow, 'maker_id' | 'receiver_id'>): boolean =>
  isSelf(actor, offer.maker_id) || isSelf(actor, offer.receiver_id);

/** May decide about ads of this user. Administrators also decide about ads of administrators, and their own. */
export const mayModerateAds = (actor: Actor, owner: Pick<UserRow, 'role'>): boolean =>
  isAdmin(actor) || mayActOn(actor, owner);

/** May suspend, ban or delete this user, who must have a lower role and not be the last administrator. */
export const mayRemoveUser = (
  actor: Actor,
  user: Pick<UserRow, 'id' | 'role'>,
  admins: readonly { id: string }[],
): boolean => mayActOn(actor, user) && !isLastAdmin(user.id, admins);

/** `admins` excludes banned, suspended and deleted ones. */
export const isLastAdmin = (userId: string, admins: readonly { id: string }[]): boolean =>
  admins.length === 1 && admins[0]?.id === userId;
