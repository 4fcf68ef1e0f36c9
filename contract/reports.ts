import * as z from 'zod/mini';
import { LinkToken } from './email.ts';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { PHOTO_SIZES, PHOTO_TYPES } from './message-photos.ts';
import { MessagePhoto } from './messages.ts';
import { PriceTypeName } from './prices.ts';
import { says } from './says.ts';
import { Cursor, Id, IdParams, PageQuery, PageSize, Timestamp } from './scalars.ts';
import { text } from './text.ts';

/** Why a target is reported, and why staff decide against it. Their words: `report-reasons.ts`. */
export const REASONS = [
  'scam',
  'prohibited',
  'counterfeit',
  'duplicate',
  'wrong_category',
  'offensive',
  'harassment',
  'other',
] as const;
export type ReportReason = (typeof REASONS)[number];
export const StaffReason = z.enum(REASONS, says('fields.chooseReason'));
/** Optional words of staff to the person whom a decision concerns. */
export const StaffNote = z.optional(text({ max: LIMITS.reason, multiline: true }));

export const REPORT_TARGETS = ['ad', 'user', 'message', 'rating'] as const;
export type ReportTarget = (typeof REPORT_TARGETS)[number];

/** The reasons for which each may be reported. Earlier reports may have others. */
export const REASONS_OF: Record<ReportTarget, readonly ReportReason[]> = {
  ad: ['scam', 'prohibited', 'counterfeit', 'duplicate', 'wrong_category', 'offensive', 'other'],
  user: ['scam', 'duplicate', 'offensive', 'harassment', 'other'],
  message: ['scam', 'duplicate', 'offensive', 'harassment', 'other'],
  rating: ['scam', 'offensive', 'harassment', 'other'],
};

export const createReport = endpoint({
  method: 'POST',
  path: '/api/reports',
  summary:
    'Reports an ad, a person, a received message or a rating; 200 if it replaces the open report of the same reporter',
  access: 'user',
  scope: 'session',
  body: z
    .object({
      targetType: z.enum(REPORT_TARGETS),
      targetId: Id,
      reason: StaffReason,
      details: z.optional(text({ max: LIMITS.reportDetails, multiline: true })),
    })
    .check(
      z.refine(({ targetType, reason }) => REASONS_OF[targetType].includes(reason), {
        path: ['reason'],
        ...says('fields.fittingReason'),
        params: {
          json: {
            allOf: [
              {
                anyOf: REPORT_TARGETS.map((target) => ({
                  properties: { targetType: { const: target }, reason: { enum: REASONS_OF[target] } },
                })),
              },
            ],
          },
        },
      }),
      z.refine(({ reason, details }) => reason !== 'other' || Boolean(details), {
        path: ['details'],
        ...says('fields.tellWhatIsWrong'),
        params: {
          json: {
            anyOf: [
              { properties: { reason: { not: { const: 'other' } } } },
              { required: ['details'], properties: { details: { pattern: '\\S' } } },
            ],
          },
        },
      }),
    ),
  reply: z.object({ id: z.string(), status: z.literal('open') }),
  status: 201,
  otherStatus: 200,
  limit: 'report',
  errors: ['forbidden'],
  invalidates: ['cases'],
});

/** A person as staff see them in a case. A deleted user has no username. */
const CasePerson = z.object({ id: z.string(), username: z.nullable(z.string()), displayName: z.string() });

/** A target as staff see it. `isGone`: the ad was deleted, or its owner was. */
export const CaseTarget = z.object({
  title: z.string(),
  text: z.string(),
  /** Path of the target's page. A message has none. */
  url: z.nullable(z.string()),
  imageUrls: z.array(z.string()),
  price: z.nullable(z.string()),
  /** Also null for an ad that was reported before cases kept it. */
  priceType: z.nullable(PriceTypeName),
  category: z.nullable(z.string()),
  state: z.nullable(z.string()),
  /** The reported message last, after up to five messages before it. Only cases about messages have any. */
  messages: z.array(
    z.object({
      id: z.string(),
      senderId: z.string(),
      content: z.string(),
      createdAt: Timestamp,
      photos: z.optional(z.array(MessagePhoto)),
    }),
  ),
  isGone: z.boolean(),
});
export type CaseTarget = z.output<typeof CaseTarget>;

const CaseStatus = z.enum(['open', 'decided']);
/** Appeals are cases about a `decision`. */
const CaseTargetType = z.enum([...REPORT_TARGETS, 'decision']);
export type CaseTargetType = z.output<typeof CaseTargetType>;

/** What staff may decide about reports. */
export const CASE_ACTIONS = ['dismiss', 'remove', 'warn', 'suspend', 'ban'] as const;
/** What staff may decide about an appeal. */
export const APPEAL_ACTIONS = ['uphold', 'reverse'] as const;
const DecidedAction = z.enum([...CASE_ACTIONS, ...APPEAL_ACTIONS]);
export type CaseAction = z.output<typeof DecidedAction>;
/** What a decision may record: staff decide a case, or reports hold an ad. */
export type DecisionAction = CaseAction | 'hold';
/** Decisions that concern a person. `hold`: the reports on the ad reached the limit, and it waits for review. */
export const CONTESTED_ACTIONS = ['hold', 'remove', 'warn', 'suspend', 'ban'] as const;
export const SUSPENSION_DAYS = [1, 7, 30] as const;
export const SuspensionDays = z.literal(
  SUSPENSION_DAYS,
  `A suspension lasts ${SUSPENSION_DAYS.slice(0, -1).join(', ')} or ${SUSPENSION_DAYS.at(-1)} days`,
);

const CaseDecision = z.object({
  id: z.string(),
  action: DecidedAction,
  reason: StaffReason,
  note: z.nullable(z.string()),
  days: z.nullable(z.number()),
  /** Null for an operator. */
  decidedBy: z.nullable(CasePerson),
  createdAt: Timestamp,
});

export const CaseSummary = z.object({
  id: z.string(),
  targetType: CaseTargetType,
  targetId: z.string(),
  status: CaseStatus,
  /** Sum of the weights of its reports; 0 for an appeal. */
  weight: z.number(),
  title: z.string(),
  /** The person whom a decision would concern. */
  person: CasePerson,
  reportCount: z.number(),
  reasons: z.array(StaffReason),
  openedAt: Timestamp,
  decision: z.nullable(CaseDecision),
});
export type CaseSummary = z.output<typeof CaseSummary>;

/** A case with its reports; staff only. The person concerned never sees who reported, and reporters never see the notes. */
export const Case = z.extend(CaseSummary, {
  reports: z.array(
    z.object({
      id: z.string(),
      reporter: CasePerson,
      reason: StaffReason,
      details: z.nullable(z.string()),
      weight: z.number(),
      createdAt: Timestamp,
    }),
  ),
  /** The target when it was first reported. */
  reported: CaseTarget,
  /** The target as it is now; null if nothing of it is left. */
  now: z.nullable(CaseTarget),
  /** Whether `now` differs from `reported` in what others see. */
  isEdited: z.boolean(),
  /** Names the content of the ad as it is now; null for other targets. */
  version: z.nullable(z.string()),
  history: z.object({
    adsRemoved: z.number(),
    warnings: z.number(),
    suspensions: z.number(),
    openCases: z.number(),
  }),
  /** The appeal that this case is about, with the decision that it contests. */
  appeal: z.nullable(
    z.object({
      text: z.string(),
      createdAt: Timestamp,
      contested: z.extend(CaseDecision, {
        action: z.enum(CONTESTED_ACTIONS),
        /** Reports held the ad; without a person who decided. */
        isAutomatic: z.boolean(),
        targetType: z.enum(REPORT_TARGETS),
      }),
    }),
  ),
  /** The actions that the caller may take now. */
  actions: z.array(DecidedAction),
});
export type Case = z.output<typeof Case>;

export const listCases = endpoint({
  method: 'GET',
  path: '/api/admin/reports',
  summary: 'Cases: open ones by weight, then oldest first; decided ones by their decision, newest first',
  access: 'moderator',
  scope: 'admin:read',
  query: z.object({ status: z.optional(CaseStatus), cursor: z.optional(Cursor), limit: PageSize }),
  reply: z.array(CaseSummary),
  paged: true,
  tags: ['cases'],
});

export const countOpenCases = endpoint({
  method: 'GET',
  path: '/api/admin/reports/count',
  summary: 'How many cases are open',
  access: 'moderator',
  scope: 'admin:read',
  reply: z.object({ open: z.number() }),
  tags: ['cases'],
});

export const getCase = endpoint({
  method: 'GET',
  path: '/api/admin/reports/:id',
  summary: 'One case with its reports, its target then and now, and the history of the person concerned',
  access: 'moderator',
  scope: 'admin:read',
  params: IdParams,
  reply: Case,
  tags: ['cases'],
});

export const viewCasePhoto = endpoint({
  method: 'GET',
  path: '/api/admin/reports/:id/photos/:photoId/:size',
  summary: 'A photo of a message that the case has a copy of',
  access: 'moderator',
  scope: 'admin:read',
  params: z.object({ id: Id, photoId: Id, size: z.enum(PHOTO_SIZES) }),
  replyTypes: PHOTO_TYPES,
  errors: ['storage_unavailable'],
});

export const decideCase = endpoint({
  method: 'POST',
  path: '/api/admin/reports/:id/decision',
  summary: 'Decides a case: the effect, its reports, the audit entry and the notifications in one transaction',
  access: 'moderator',
  scope: 'admin:moderate',
  params: IdParams,
  body: z
    .object({
      action: DecidedAction,
      reason: StaffReason,
      note: StaffNote,
      days: z.optional(SuspensionDays),
      /** Of the case as read: 409 `conflict` if the ad was edited since. */
      version: z.optional(z.string().check(z.maxLength(100))),
    })
    .check(
      z.refine(({ action, days }) => (action === 'suspend') === (days !== undefined), {
        path: ['days'],
        ...says('fields.suspensionDays'),
        params: {
          json: {
            anyOf: [
              { properties: { action: { const: 'suspend' } }, required: ['days'] },
              { properties: { action: { not: { const: 'suspend' } }, days: false } },
            ],
          },
        },
      }),
    ),
  reply: Case,
  errors: ['conflict', 'last_admin'],
  invalidates: ['cases', 'decisions', 'notifications', 'adminUsers', 'adminAds', 'ad', 'ads', 'profiles'],
});

/** A decision as the person concerned sees it: never who decided, and never who reported. */
export const Decision = z.object({
  id: z.string(),
  action: z.enum(CONTESTED_ACTIONS),
  reason: StaffReason,
  note: z.nullable(z.string()),
  days: z.nullable(z.number()),
  /** When a suspension ends. */
  until: z.nullable(Timestamp),
  isAutomatic: z.boolean(),
  targetType: z.enum(REPORT_TARGETS),
  /** The title of the ad, or of the ad that the rating is about. */
  title: z.nullable(z.string()),
  /** The ad, if it still exists. */
  url: z.nullable(z.string()),
  createdAt: Timestamp,
  /** When the decision was reversed, or a held ad was approved. */
  reversedAt: z.nullable(Timestamp),
  appeal: z.nullable(
    z.object({
      text: z.string(),
      createdAt: Timestamp,
      status: z.enum(['open', 'upheld', 'reversed']),
      /** What the person who decided the appeal wrote to the appellant. */
      note: z.nullable(z.string()),
    }),
  ),
  canAppeal: z.boolean(),
  /** Null for a ban, which can be appealed as long as it lasts. */
  appealUntil: z.nullable(Timestamp),
});
export type Decision = z.output<typeof Decision>;

export const listMyDecisions = endpoint({
  method: 'GET',
  path: '/api/decisions',
  summary: 'Decisions about the signed-in user, newest first, with the statement of reasons',
  access: 'user',
  scope: 'profile:read',
  whileSuspended: true,
  query: PageQuery,
  reply: z.array(Decision),
  paged: true,
  tags: ['decisions'],
});

const AppealText = text({ max: LIMITS.appeal, required: 'fields.explainAppeal', multiline: true });

export const appealDecision = endpoint({
  method: 'POST',
  path: '/api/decisions/:id/appeal',
  summary: `Appeals a decision about the signed-in user: once, within ${LIMITS.appealDays} days`,
  access: 'user',
  scope: 'session',
  whileSuspended: true,
  params: IdParams,
  body: z.object({ text: AppealText }),
  reply: Decision,
  status: 201,
  limit: 'report',
  errors: ['conflict'],
  invalidates: ['decisions', 'cases'],
});

export const getBan = endpoint({
  method: 'GET',
  path: '/api/ban',
  summary: 'The ban of the person to whom this link was given, who cannot sign in',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  query: z.object({ token: LinkToken }),
  reply: Decision,
  errors: ['link_invalid', 'link_expired'],
  tags: ['decisions'],
});

export const appealBan = endpoint({
  method: 'POST',
  path: '/api/ban/appeal',
  summary: 'Appeals the ban of the person to whom this link was given: once',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  body: z.object({ token: LinkToken, text: AppealText }),
  reply: Decision,
  status: 201,
  limit: 'report',
  errors: ['link_invalid', 'link_expired', 'conflict'],
  invalidates: ['decisions', 'cases'],
});
