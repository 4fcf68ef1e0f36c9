import { t } from '../../../contract/i18n.ts';
import type {
  Case,
  CaseAction,
  CaseSummary,
  Decision,
  DecisionAction,
  ReportTarget,
} from '../../../contract/reports.ts';
import { shorten } from '../../../contract/text.ts';
import type { Role } from '../../../contract/user.ts';
import { sayStored } from '../../error-phrases.ts';
import { formatAmount } from '../notifications/news-values.ts';
import { sayName } from '../users/names.ts';
import { type CaseDetails, type CopiedMessage, GONE, type ReportDetails, type Snapshot } from './case-repository.ts';
import type { AppealRow, DecisionRow, OwnDecision } from './decision-repository.ts';
import { appealUntil, refuseAppeal } from './rules.ts';

interface Named {
  id: string;
  username: string | null;
  display_name: string;
  deleted_at: string | null;
  x_id?: string | null;
  role?: Role;
}

const presentPerson = (row: Named) => ({ id: row.id, username: row.username, displayName: sayName(row) });

const sayText = (text: string, writer: Pick<Named, 'deleted_at'>): string =>
  writer.deleted_at !== null && text === GONE ? t('moderation.deletedWithWriter') : text;

type Words = { [Part in 'content' | 'offer' | 'photos' | 'isWordless']?: CopiedMessage[Part] | undefined };

/** What a message says. Where its sender wrote nothing, its offer or photos in the language of the reader. */
export const sayMessage = ({ content = '', offer, photos = [], isWordless }: Words): string => {
  if (offer) return t('messages.offerLine', { amount: formatAmount(offer) });
  return isWordless ? t('messages.photosLine', { count: photos.length }) : content;
};

export const TITLE_LENGTH = 80;

/** The title of what was reported; a person's is their name. */
export const sayTitle = ({ about, title, heading, messages }: Snapshot, isDeleted: boolean): string => {
  if (about === 'user' && isDeleted) return t('person.deletedUser');
  const reported = messages.at(-1);
  return reported ? shorten(sayMessage(reported), TITLE_LENGTH) : sayStored(title, heading);
};

const presentCaseDecision = (row: CaseDetails): CaseSummary['decision'] =>
  row.decision_id === null
    ? null
    : {
        id: row.decision_id,
        action: row.action as CaseAction,
        reason: row.reason!,
        note: row.note,
        days: row.days,
        decidedBy:
          row.decided_by === null
            ? null
            : presentPerson({
                id: row.decided_by,
                username: row.decider_username,
                display_name: row.decider_name!,
                deleted_at: row.decider_deleted_at,
                x_id: row.decider_x_id,
                role: row.decider_role!,
              }),
        createdAt: row.decision_at!,
      };

export const presentCaseSummary = (row: CaseDetails): CaseSummary => ({
  id: row.id,
  targetType: row.target_type,
  targetId: row.target_id,
  status: row.decided_at === null ? 'open' : 'decided',
  weight: Number(row.weight),
  title: sayTitle(row.reported, row.deleted_at !== null),
  person: presentPerson({ ...row, id: row.person_id }),
  reportCount: Number(row.report_count),
  reasons: row.reasons,
  openedAt: row.opened_at,
  decision: presentCaseDecision(row),
});

export const presentReport = (row: ReportDetails): Case['reports'][number] => ({
  id: row.id,
  reporter: presentPerson({ ...row, id: row.reporter_id }),
  reason: row.reason,
  details: row.details && sayText(row.details, row),
  weight: Number(row.weight),
  createdAt: row.created_at,
});

export const presentAppeal = (
  { text, created_at, contested }: AppealRow & { contested: DecisionRow },
  decider: Named | undefined,
  writer: Pick<Named, 'deleted_at'>,
): NonNullable<Case['appeal']> => ({
  text: sayText(text, writer),
  createdAt: created_at,
  contested: {
    id: contested.id,
    action: contested.action as Decision['action'],
    reason: contested.reason,
    note: contested.note,
    days: contested.days,
    isAutomatic: contested.is_automatic,
    decidedBy: decider ? presentPerson(decider) : null,
    createdAt: contested.created_at,
    targetType: contested.target_type as ReportTarget,
  },
});

const APPEAL_STATUS = { uphold: 'upheld', reverse: 'reversed' } as const;

/** A decision as the person concerned sees it: without those who decided or reported. */
export const presentDecision = (row: OwnDecision, now: Date): Decision => ({
  id: row.id,
  action: row.action as Decision['action'],
  reason: row.reason,
  note: row.note,
  days: row.days,
  until: row.until,
  isAutomatic: row.is_automatic,
  targetType: row.target_type as ReportTarget,
  title: row.title,
  url: row.target_type === 'ad' && !row.is_target_gone ? `/ads/${row.target_id}` : null,
  createdAt: row.created_at,
  reversedAt: row.reversed_at,
  appeal:
    row.appeal_text === null
      ? null
      : {
          text: row.appeal_text,
          createdAt: row.appealed_at!,
          status: row.appeal_action === null ? 'open' : APPEAL_STATUS[row.appeal_action],
          note: row.appeal_note,
        },
  canAppeal: refuseAppeal(toAppealable(row), now.valueOf()) === null,
  appealUntil: appealUntil(row),
});

/** What took the ad or the rating out of public view. */
const TAKES: readonly DecisionAction[] = ['hold', 'remove'];

export const toAppealable = (row: OwnDecision) => ({
  ...row,
  isAppealed: row.appeal_text !== null,
  // a warning or a suspension because of an ad or a rating outlives it
  isTargetGone: row.is_target_gone && TAKES.includes(row.action),
});
