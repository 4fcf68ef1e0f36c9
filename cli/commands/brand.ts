import { readFile } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import { BRAND_LIMITS, Brand, type VersionedBrand } from '../../contract/brand.ts';
import { derivePalette } from '../../contract/palette.ts';
import type { AppContext } from '../../server/app-context.ts';
import type { AuditContext } from '../../server/features/audit/repository.ts';
import { getBrand, removeLogo, resetBrand, setLogo, updateBrand } from '../../server/features/brand/service.ts';
import type { Actor } from '../../server/policy.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions } from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import { usageError } from '../framework/errors.ts';

type Key = keyof Brand | 'logo';

/** Every part of the brand, in the order of the list. */
const HINTS: Record<Key, string> = {
  name: `The name of the marketplace, at most ${BRAND_LIMITS.name} characters.`,
  shortName: `The name below the icon on a home screen, at most ${BRAND_LIMITS.shortName} characters; "" for the name.`,
  accent: 'The colour of buttons and links, such as #0265d9.',
  headline: `The headline of the home page, at most ${BRAND_LIMITS.headline} characters.`,
  tagline: `The line below the headline, at most ${BRAND_LIMITS.line} characters.`,
  footerLine: `The line below the name in the footer, at most ${BRAND_LIMITS.line} characters.`,
  translations: `Headline, tagline and footer line in further languages, as JSON: [{"language": "de", "headline": "Kaufen", "tagline": "", "footerLine": ""}]; what is empty is built in, or as in the first language.`,
  isBeta: 'true or false: whether BETA is beside the name.',
  homeCountry: 'Code of the country whose places are suggested before others, such as US; "" for none.',
  theme: 'light, dark or system, for people who have chosen none.',
  logo: 'Path of a PNG, JPEG, WebP or SVG file of at most 1 MB; "" for the built-in mark.',
  links: `Links of the footer, at most ${BRAND_LIMITS.links}, as JSON: [{"label": "Imprint", "url": "https://example.com"}].`,
};
const KEYS = Object.keys(HINTS) as Key[];

const SHAPE = { fields: ['key', 'value'] };
const toRows = (brand: VersionedBrand, keys: readonly Key[] = KEYS) => keys.map((key) => ({ key, value: brand[key] }));

const toValue = (key: keyof Brand, text: string): unknown => {
  if (key === 'accent') return text.toLowerCase();
  if (!['isBeta', 'links', 'translations'].includes(key)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const change = (before: Brand, key: keyof Brand, text: string): Brand => {
  const parsed = Brand.safeParse({ ...before, [key]: toValue(key, text) });
  if (!parsed.success) throw usageError(`${key}: ${parsed.error.issues[0]?.message ?? 'is not valid'}`, HINTS[key]);
  return parsed.data;
};

const changeLogo = (ctx: AppContext, actor: Actor, path: string, audit: AuditContext): Promise<VersionedBrand> =>
  path === '' ? removeLogo(ctx, actor, audit) : setLogo(ctx, actor, () => readLogoFile(path), audit);

const readLogoFile = async (path: string): Promise<Buffer> => {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${path} cannot be read: ${error.code}`, HINTS.logo);
  });
  if (bytes.length > BRAND_LIMITS.logoBytes) throw usageError('The file is larger than 1 MB.', HINTS.logo);
  return bytes;
};

const sayCorrection = (cli: Cli, { accent }: Brand): void => {
  const { light, dark } = derivePalette(accent);
  if (light.primary !== accent)
    cli.say(`${accent} has too little contrast on light backgrounds: buttons and links use ${light.primary}.`);
  if (dark.primary !== accent) cli.say(`On dark backgrounds, buttons and links use ${dark.primary}.`);
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'show', {
    summary: 'Prints the brand: name, words, colour and links',
    examples: [['brand show', 'all of it']],
  }).action(() =>
    withContext(cli, async ({ ctx, actor }) => {
      await cli.out.rows(SHAPE, toRows(await getBrand(ctx, actor)));
    }),
  );

  addCommand(noun, 'set', {
    summary: 'Changes a part of the brand; pages and mails show it within a second',
    description: KEYS.map((key) => `${key}: ${HINTS[key]}`).join(' '),
    examples: [
      ['brand set name "Kettle Market"', 'the name, everywhere'],
      ['brand set logo ./logo.svg', 'the logo, and the icons and share picture that are made from it'],
      ['brand set accent "#7a1fa2"', 'the colour of buttons and links'],
    ],
    changes: 'at once',
  })
    .addArgument(new Argument('<key>', 'which').choices(KEYS))
    .argument('<value>', 'its value')
    .action(async (key: Key, text: string, { dryRun, reason }: MutationOptions) => {
      const after = await withWritableContext(cli, dryRun, async ({ ctx, actor }): Promise<VersionedBrand> => {
        if (key === 'logo') return changeLogo(ctx, actor, text, { reason });
        const { version, ...before } = await getBrand(ctx, actor);
        return updateBrand(ctx, actor, { [key]: change(before, key, text)[key], version }, { reason });
      });
      if (key === 'accent') sayCorrection(cli, after);
      await cli.out.rows(SHAPE, toRows(after, [key]));
    });

  addCommand(noun, 'reset', {
    summary: 'Brings the brand back to the defaults; the home country stays',
    examples: [['brand reset', 'name, words, colour and links']],
    changes: 'at once',
  }).action(async ({ dryRun, reason }: MutationOptions) => {
    const after = await withWritableContext(cli, dryRun, ({ ctx, actor }) => resetBrand(ctx, actor, { reason }));
    await cli.out.rows(SHAPE, toRows(after));
  });
}
