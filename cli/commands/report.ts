import { type Command, Option } from 'commander';
import { pluralize } from '../../contract/plural.ts';
import { toPriceText } from '../../contract/prices.ts';
import {
  APPEAL_ACTIONS,
  CASE_ACTIONS,
  type Case,
  type CaseSummary,
  decideCase as decideCaseApi,
  REASONS,
  type ReportReason,
  SUSPENSION_DAYS,
} from '../../contract/reports.ts';
import { decideCase } from '../../server/features/reports/decide.ts';
import { getCase, listCases } from '../../server/features/reports/service.ts';
import type { Cli } from '../framework/cli.ts';
import {
  addCommand,
  addPageOptions,
  type BatchOptions,
  isId,
  type PageOptions,
  printPages,
  runBatch,
} from '../framework/command.ts';
import { withContext } from '../framework/context.ts';
import { CliError, EXIT, usageError } from '../framework/errors.ts';
import type { Fields } from '../framework/output.ts';

const LIST_FIELDS: Fields<CaseSummary> = {
  id: 'id',
  targetType: 'targetType',
  targetId: 'targetId',
  status: 'status',
  weight: 'weight',
  title: 'title',
  personId: ({ person }) => person.id,
  username: ({ person }) => person.username,
  reports: 'reportCount',
  reasons: 'reasons',
  openedAt: 'openedAt',
  action: ({ decision }) => decision?.action ?? null,
  decidedBy: ({ decision }) => decision?.decidedBy?.username ?? null,
  decidedAt: ({ decision }) => decision?.createdAt ?? null,
};
const LIST_TABLE = ['id', 'targetType', 'targetId', 'weight', 'title', 'username', 'reports', 'reasons', 'openedAt'];
const DECIDED_TABLE = ['id', 'targetType', 'targetId', 'title', 'username', 'action', 'decidedBy', 'decidedAt'];

const CASE_FIELDS: Fields<Case> = {
  ...(LIST_FIELDS as Fields<Case>),
  reports: 'reports',
  reported: 'reported',
  now: 'now',
  isEdited: 'isEdited',
  version: 'version',
  history: 'history',
  appeal: 'appeal',
  decision: 'decision',
  actions: 'actions',
};

const toPersonText = ({ username, id }: Case['person']): string => (username ? `@${username}` : `user ${id}`);

const toTargetLines = (target: Case['now']): string[] => {
  if (!target) return [];
  const { title, url, price, priceType, category, state, isGone, text, messages, imageUrls } = target;
  if (messages.length > 0)
    return messages.map(({ senderId, createdAt, content }) => `${createdAt} user ${senderId}: ${content}`);
  const priceText = price && toPriceText({ price, priceType });
  const facts = [priceText, category, isGone ? 'deleted' : state, url].filter(Boolean).join(', ');
  return [title, facts, ...text.split('\n'), ...imageUrls].filter(Boolean);
};

type AnyDecision = NonNullable<Case['decision']> | NonNullable<Case['appeal']>['contested'];

const toDecisionLines = ({ action, days, reason, note, createdAt, decidedBy }: AnyDecision): string[] => {
  const what = `${action}${days === null ? '' : ` ${pluralize(days, 'day')}`} (${reason})`;
  return [`${createdAt} ${what}${decidedBy ? ` by ${toPersonText(decidedBy)}` : ''}`, note ?? ''].filter(Boolean);
};

/** CASE_FIELDS as lines, for people who read a case in a terminal. */
const READABLE_FIELDS: Fields<Case> = {
  ...CASE_FIELDS,
  reasons: ({ reasons }) => reasons.join(', '),
  actions: ({ actions }) => actions.join(', '),
  reports: ({ reports }) =>
    reports.map(
      ({ createdAt, reason, weight, reporter, details }) =>
        `${createdAt} ${reason}, weight ${weight}, by ${toPersonText(reporter)}${details ? `: ${details}` : ''}`,
    ),
  reported: ({ reported }) => toTargetLines(reported),
  now: ({ now }) => toTargetLines(now),
  history: ({ history }) =>
    Object.entries(history)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  appeal: ({ appeal }) =>
    appeal && [...toDecisionLines(appeal.contested), `${appeal.createdAt} appeal: ${appeal.text}`],
  decision: ({ decision }) => decision && toDecisionLines(decision),
};

const noSuchCase = (id: string): CliError => new CliError(EXIT.notFound, `There is no case ${id}.`);

interface ListOptions extends PageOptions {
  status: 'open' | 'decided';
}

const addLists = (noun: Command, cli: Cli): void => {
  const list = addCommand(noun, 'list', {
    summary: 'Lists cases: open ones by weight, then the oldest first; decided ones by their decision, newest first',
    examples: [
      ['report list', 'what waits for a decision'],
      ['report list --status decided --limit 20', 'the last decisions'],
    ],
  });
  addPageOptions(list)
    .addOption(new Option('--status <status>', 'which').choices(['open', 'decided']).default('open'))
    .action(({ status, ...paging }: ListOptions) =>
      withContext(cli, async ({ ctx, actor }) => {
        const shape = { fields: LIST_FIELDS, table: status === 'open' ? LIST_TABLE : DECIDED_TABLE };
        await printPages(cli, shape, paging, async (page) => {
          const { cases, nextCursor } = await listCases(ctx, actor, { status, ...page });
          return { rows: cases, nextCursor };
        });
      }),
    );

  addCommand(noun, 'show <id>', {
    summary: 'Prints one case with its reports, and its target then and now',
    examples: [['report show 10001 -o json', 'for a script']],
  }).action((id: string) =>
    withContext(cli, async ({ ctx, actor }) => {
      if (!isId(id)) throw noSuchCase(id);
      const fields = cli.isTable() ? READABLE_FIELDS : CASE_FIELDS;
      await cli.out.record({ fields }, await getCase(ctx, actor, id));
    }),
  );
};

interface ResolveOptions extends BatchOptions {
  action: (typeof CASE_ACTIONS)[number] | (typeof APPEAL_ACTIONS)[number];
  for: ReportReason;
  note?: string;
  days?: string;
  ifVersion?: string;
}

const toDecision = ({ action, for: reason, note, days, ifVersion: version }: ResolveOptions) => {
  const parsed = decideCaseApi.body.safeParse({ action, reason, note, days: days && Number(days), version });
  if (parsed.success) return parsed.data;
  throw usageError(
    parsed.error.issues[0]?.message ?? 'The decision is not valid.',
    'See marketctl report resolve --help.',
  );
};

const addResolve = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'resolve <id...>', {
    summary: 'Decides cases: applies the effect and notifies the reporters and the person concerned',
    description: 'The person concerned reads --for and --note; --reason is for the audit log.',
    examples: [
      ['report resolve 10001 --action dismiss', 'no violation: a held ad is public again'],
      ['report resolve 10001 --action remove --for scam --note "Asks for money in advance" --yes', 'remove the ad'],
      ['report resolve 10001 --action suspend --days 7 --for harassment --yes', 'suspend the person'],
      ['report resolve 10002 --action reverse --yes', 'grant an appeal'],
    ],
    changes: 'after a yes',
  })
    .addOption(
      new Option('--action <action>', 'what to do').choices([...CASE_ACTIONS, ...APPEAL_ACTIONS]).makeOptionMandatory(),
    )
    .addOption(new Option('--for <reason>', 'why').choices([...REASONS]).default('other'))
    .option('--note <text>', 'a note to the person concerned')
    .addOption(new Option('--days <n>', 'of a suspension').choices(SUSPENSION_DAYS.map(String)))
    .option('--if-version <version>', 'only if the ad is still as `report show` printed it')
    .option('--from-file <file>', 'read ids from this file')
    .action(async (given: string[], options: ResolveOptions) => {
      const decision = toDecision(options);
      const question = (ids: readonly string[]) =>
        decision.action === 'dismiss' && ids.length === 1
          ? undefined
          : `${decision.action}: decide ${ids.length === 1 ? `case ${ids[0]}` : `${ids.length} cases`}?`;
      await runBatch(cli, { given, options, question }, async ({ ctx, actor }, id) => {
        if (!isId(id)) throw noSuchCase(id);
        await decideCase(ctx, actor, id, decision, { reason: options.reason });
        return { id, result: decision.action };
      });
    });
};

export function register(noun: Command, cli: Cli): void {
  addLists(noun, cli);
  addResolve(noun, cli);
}
