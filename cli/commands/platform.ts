import { Argument, type Command } from 'commander';
import { Settings } from '../../contract/admin.ts';
import {
  DEFAULT_SETTINGS,
  type Maintenance,
  readMaintenance,
  readSettings,
} from '../../server/features/settings/repository.ts';
import {
  endMaintenance,
  getSettings,
  startMaintenance,
  updateSettings,
} from '../../server/features/settings/service.ts';
import { type PostingState, readPostingState, resumePostingToX } from '../../server/features/x-posts/service.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions, parseDuration } from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import { usageError } from '../framework/errors.ts';

type Key = keyof Settings;

/** Every setting, in the order of the list. */
const HINTS: Record<Key, string> = {
  maxAdDurationDays: 'Days until an unsold ad expires, 0 to 3650; 0 means never.',
  maxImagesPerAd: 'Photos that an ad may have, 0 to 5.',
  moderationMode: 'automatic, manual or trusted.',
  reportHoldWeight: 'Sum of the weights of open reports that holds an ad for review, 0 to 1000; 0 never holds.',
  minXAccountAgeDays: 'Age of the X account in days for ads, first messages, offers and reports, 0 to 3650; 0 is off.',
  newAccountAdsPerDay: 'Ads a day of an account in its first seven days, 0 to 1000; 0 is off.',
  newConversationsPerHour: 'Conversations that a person may start in an hour, 0 to 1000; 0 is off.',
  sameTextPeople: 'The same text to this many people within an hour is refused, 2 to 1000; 0 is off.',
  distanceUnit: 'km or miles, for distances between places and for mileages.',
  bannedWords: 'Words or phrases, separated by commas; they send an ad into review.',
};
const KEYS = Object.keys(HINTS) as Key[];

const SHAPE = { fields: ['key', 'value'] };
const toRows = (settings: Settings, keys: readonly Key[]) => keys.map((key) => ({ key, value: settings[key] }));

/** The type of a setting is that of its default. */
const toValue = (key: Key, text: string): unknown => {
  const usual = DEFAULT_SETTINGS[key];
  if (Array.isArray(usual))
    return text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean);
  if (typeof usual === 'string') return text;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
};

const change = (before: Settings, key: Key, text: string): Settings => {
  const parsed = Settings.safeParse({ ...before, [key]: toValue(key, text) });
  if (!parsed.success) throw usageError(`${key}: ${parsed.error.issues[0]?.message ?? 'is not valid'}`, HINTS[key]);
  return parsed.data;
};

export const settings = {
  register(noun: Command, cli: Cli): void {
    addCommand(noun, 'get', {
      summary: 'Prints the settings of the platform, or one of them',
      examples: [
        ['settings get', 'all of them'],
        ['settings get moderationMode --fields value --no-headers', 'one value for a script'],
      ],
    })
      .addArgument(new Argument('[key]', 'which').choices(KEYS))
      .action((key: Key | undefined) =>
        withContext(cli, async ({ ctx }) => {
          await cli.out.rows(SHAPE, toRows(await readSettings(ctx.db), key ? [key] : KEYS));
        }),
      );

    addCommand(noun, 'set', {
      summary: 'Changes a setting; it takes effect at once, on every replica',
      description: KEYS.map((key) => `${key}: ${HINTS[key]}`).join(' '),
      examples: [
        ['settings set moderationMode manual', 'every ad waits for review'],
        ['settings set bannedWords "spam,scam,replica"', 'replace the list'],
      ],
      changes: 'at once',
    })
      .addArgument(new Argument('<key>', 'which').choices(KEYS))
      .argument('<value>', 'its value')
      .action(async (key: Key, text: string, { dryRun, reason }: MutationOptions) => {
        const after = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
          const { version, ...before } = await getSettings(ctx, actor);
          const changed = change(before, key, text);
          if (JSON.stringify(before[key]) === JSON.stringify(changed[key])) return before;
          return updateSettings(ctx, actor, { ...changed, version }, { reason });
        });
        await cli.out.rows(SHAPE, toRows(after, [key]));
      });
  },
};

const printMaintenance = (cli: Cli, state: Maintenance | null): Promise<void> =>
  cli.out.record(
    { fields: ['maintenance', 'since', 'message', 'retryAfter'] },
    { maintenance: state ? 'on' : 'off', since: state?.since, message: state?.message, retryAfter: state?.retryAfter },
  );

interface OnOptions extends MutationOptions {
  message?: string;
  retryAfter: number;
}

export const maintenance = {
  register(noun: Command, cli: Cli): void {
    addCommand(noun, 'on', {
      summary: 'Closes the site on every replica: everything but health checks answers 503 with Retry-After',
      examples: [['maintenance on --message "Back at ten." --retry-after 10m', 'with words for people']],
      changes: 'at once',
    })
      .option('--message <text>', 'what people read')
      .option('--retry-after <duration>', 'when browsers may ask again', parseDuration, 60_000)
      .action(async ({ message, retryAfter, dryRun, reason }: OnOptions) => {
        const state = await withWritableContext(cli, dryRun, ({ ctx, actor }) => {
          const closing = { message: message ?? null, retryAfter: Math.ceil(retryAfter / 1000) };
          return startMaintenance(ctx, actor, closing, { reason });
        });
        await printMaintenance(cli, state);
      });

    addCommand(noun, 'off', {
      summary: 'Opens the site again',
      examples: [['maintenance off', 'on every replica, at once']],
      changes: 'at once',
    }).action(async ({ dryRun, reason }: MutationOptions) => {
      const wasOn = await withWritableContext(cli, dryRun, ({ ctx, actor }) => endMaintenance(ctx, actor, { reason }));
      if (!wasOn) cli.say('It was off already.');
      await printMaintenance(cli, null);
    });

    addCommand(noun, 'status', {
      summary: 'Says whether the site is closed',
      examples: [['maintenance status -q', 'on or off']],
    }).action(() => withContext(cli, async ({ ctx }) => printMaintenance(cli, await readMaintenance(ctx.db))));
  },
};

const printPosting = (cli: Cli, state: PostingState): Promise<void> =>
  cli.out.record({ fields: ['posting', 'since', 'reason', 'until', 'waiting'] }, state);

const MEANINGS: Record<PostingState['posting'], string> = {
  off: 'X_POSTING is off: nothing goes to X.',
  intent: "X_POSTING is intent: sellers post by X's own composer.",
  on: 'Posts go to X.',
  stopped:
    'X takes no posts, mostly because its credits are used up. One post is tried at "until"; if X takes it, the others follow.',
};

export const posting = {
  register(noun: Command, cli: Cli): void {
    addCommand(noun, 'status', {
      summary: 'Says whether posts go to X, since when and why not, and how many wait',
      examples: [
        ['posting status', 'all of it'],
        ['posting status -q', 'off, intent, on or stopped'],
      ],
    }).action(() =>
      withContext(cli, async ({ ctx }) => {
        const state = await readPostingState(ctx);
        await printPosting(cli, state);
        cli.say(MEANINGS[state.posting]);
      }),
    );

    addCommand(noun, 'resume', {
      summary: 'Sends the posts that wait for credits at X, now',
      description: 'Buy credits first: if X still takes nothing, posting stops again, for an hour.',
      examples: [
        ['posting resume', 'asks first: each post costs'],
        ['posting resume --yes', 'without asking'],
      ],
      changes: 'after a yes',
    }).action(async ({ dryRun, yes, reason }: MutationOptions) => {
      const { lifted, state } = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
        const before = await readPostingState(ctx);
        if (before.since === null) return { lifted: undefined, state: before };
        await cli.confirm('Send the posts that wait? Each costs its price at X.', yes || dryRun);
        return { lifted: await resumePostingToX(ctx, actor, { reason }), state: await readPostingState(ctx) };
      });
      cli.say(lifted === undefined ? 'It was not stopped.' : `Posts that are sent now: ${lifted}.`);
      await printPosting(cli, state);
    });
  },
};
