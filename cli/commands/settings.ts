import { Argument, type Command } from 'commander';
import { Settings, SPAM_LIMITS } from '../../contract/admin.ts';
import { LIMITS } from '../../contract/limits.ts';
import { DEFAULT_SETTINGS, readSettings } from '../../server/features/settings/repository.ts';
import { getSettings, updateSettings } from '../../server/features/settings/service.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions } from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import { usageError } from '../framework/errors.ts';

type Key = keyof Settings;

/** Every setting, in the order of the list. */
const HINTS: Record<Key, string> = {
  maxAdDurationDays: 'Days until an unsold ad expires, 0 to 3650; 0 means never.',
  maxImagesPerAd: `Photos that an ad may have, 0 to ${LIMITS.images}.`,
  moderationMode: 'automatic, manual or trusted.',
  reportHoldWeight: 'Sum of the weights of open reports that holds an ad for review, 0 to 1000; 0 never holds.',
  minXAccountAgeDays: `Age of the X account in days for ads, first messages, offers and reports, 0 to ${SPAM_LIMITS.minXAccountAgeDays}; 0 is off.`,
  newAccountAdsPerDay: `Ads a day of an account in its first ${LIMITS.newAccountDays} days, 0 to ${SPAM_LIMITS.newAccountAdsPerDay}; 0 is off.`,
  newConversationsPerHour: `Conversations that a person may start in an hour, 0 to ${SPAM_LIMITS.newConversationsPerHour}; 0 is off.`,
  sameTextPeople: `The same text to this many people within an hour is refused, 2 to ${SPAM_LIMITS.sameTextPeople}; 0 is off.`,
  distanceUnit: 'km or miles, for distances between places and for mileages.',
  homeCountry: 'Code of the country whose places are suggested before others, such as US; "" for none.',
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

export function register(noun: Command, cli: Cli): void {
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
}
