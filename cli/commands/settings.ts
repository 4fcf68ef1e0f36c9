import { Argument, type Command } from 'commander';
import { Settings } from '../../contract/admin.ts';
import { readSettings } from '../../server/features/settings/repository.ts';
import { getSettings, updateSettings } from '../../server/features/settings/service.ts';
import { addCommand, addMutationOptions, type MutationOptions } from '../framework/arguments.ts';
import type { Cli } from '../framework/cli.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import { usageError } from '../framework/errors.ts';

const KEYS = [
  'maxAdDurationDays',
  'maxImagesPerAd',
  'moderationMode',
  'bannedWords',
] as const satisfies (keyof Settings)[];
type Key = (typeof KEYS)[number];

const SHAPE = { fields: ['key', 'value'] };
const toRows = (settings: Settings, keys: readonly Key[]) => keys.map((key) => ({ key, value: settings[key] }));

const toValue = (key: Key, text: string): unknown => {
  if (key === 'bannedWords')
    return text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean);
  return key === 'moderationMode' ? text : Number(text === '' ? Number.NaN : text);
};

const change = (before: Settings, key: Key, text: string): Settings => {
  const parsed = Settings.safeParse({ ...before, [key]: toValue(key, text) });
  if (!parsed.success) throw usageError(`${key}: ${parsed.error.issues[0]?.message ?? 'is not valid'}`, HINTS[key]);
  return parsed.data;
};

const HINTS: Record<Key, string> = {
  maxAdDurationDays: 'Days until an unsold ad expires, 0 to 3650; 0 means never.',
  maxImagesPerAd: 'Pictures of an ad, 0 to 5.',
  moderationMode: 'automatic, manual or trusted.',
  bannedWords: 'Words or phrases, separated by commas; they send an ad into review.',
};

const addGet = (noun: Command, cli: Cli): void => {
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
};

const addSet = (noun: Command, cli: Cli): void => {
  addMutationOptions(
    addCommand(noun, 'set', {
      summary: 'Changes a setting; it holds at once, on every replica',
      description: KEYS.map((key) => `${key}: ${HINTS[key]}`).join(' '),
      examples: [
        ['settings set moderationMode manual', 'every ad waits for review'],
        ['settings set bannedWords "spam,scam,replica"', 'replace the list'],
      ],
    }),
  )
    .addArgument(new Argument('<key>', 'which').choices(KEYS))
    .argument('<value>', 'its value')
    .action(async (key: Key, text: string, { dryRun, reason }: MutationOptions) => {
      const after = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
        const { version, ...before } = await getSettings(ctx, actor);
        const changed = change(before, key, text);
        if (JSON.stringify(before) === JSON.stringify(changed)) return before;
        return updateSettings(ctx, actor, { ...changed, version }, { reason });
      });
      await cli.out.rows(SHAPE, toRows(after, [key]));
    });
};

export function register(noun: Command, cli: Cli): void {
  addGet(noun, cli);
  addSet(noun, cli);
}
