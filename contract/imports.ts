import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { says, saysTooLong } from './says.ts';
import { IdParams, PageQuery, Timestamp } from './scalars.ts';

/** What a column of a table of ads may mean, with its label. `images`: several columns may. */
export const IMPORT_FIELDS = {
  id: 'Id',
  title: 'Title',
  description: 'Description',
  price: 'Price',
  currency: 'Currency',
  priceType: 'Kind of price',
  category: 'Category',
  condition: 'Condition',
  location: 'Location',
  images: 'Photos (addresses)',
  state: 'State',
  link: 'Link',
  brand: 'Brand',
  color: 'Color',
  size: 'Size',
} as const;
export type ImportField = keyof typeof IMPORT_FIELDS;

const FIELD_NAMES = Object.keys(IMPORT_FIELDS) as [ImportField, ...ImportField[]];

const word = z.string().check(z.maxLength(200));

/** What a person chose for a file: what it leaves open. */
export const ImportMapping = z.object({
  /** What each column of a table means, by its heading; '' for nothing. Absent: guessed. */
  columns: z.optional(z.record(word, z.enum(['', ...FIELD_NAMES], says('fields.unknownField')))),
  /** Slugs by the words of the file; that of '' is for ads without a category. */
  categories: z.optional(z.record(word, z.string().check(z.maxLength(100)))),
  /** How prices are written: 1234.50 or 1234,50. */
  decimal: z.optional(z.enum(['point', 'comma'])),
});
export type ImportMapping = z.output<typeof ImportMapping>;

/** The media types that a file of ads may be sent as. Its content says what it is. */
const FILE_TYPES = [
  'application/octet-stream',
  'text/csv',
  'text/tab-separated-values',
  'application/json',
  'application/ld+json',
  'application/xml',
  'text/xml',
  'text/html',
] as const;

/** The formats by the names that `marketctl import ads --format` takes. */
export const IMPORT_FORMATS = [
  'tradepost',
  'icas',
  'osclass-xml',
  'yclas',
  'google',
  'ebay',
  'etsy',
  'shopify',
  'woocommerce',
  'trovit',
  'avito',
  'json-ld',
  'csv',
] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** `new` and `changed` rows become ads, or change one; `wrong` ones are left out. */
export const ROW_KINDS = ['new', 'changed', 'same', 'wrong'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** `ready`: a preview, which `startImport` carries out. `failed`: it stopped, and `error` says why. */
export const IMPORT_STATES = ['ready', 'running', 'done', 'failed'] as const;

const count = z.number();

export const Import = z.object({
  id: z.string(),
  fileName: z.string(),
  format: z.string(),
  source: z.string(),
  state: z.enum(IMPORT_STATES),
  /** Ads in the file, and how many of them the run has passed. */
  rows: count,
  done: count,
  /** Of the preview. */
  same: count,
  wrong: count,
  /** Of the run. `refused`: right in the preview, and not taken when they came. */
  created: count,
  updated: count,
  paused: count,
  refused: count,
  error: z.nullable(z.string()),
  createdAt: Timestamp,
  finishedAt: z.nullable(Timestamp),
});
export type Import = z.output<typeof Import>;

export const ImportDetails = z.extend(Import, {
  /** Of its rows, which are kept for the newest import only. */
  counts: z.object({ new: count, changed: count, same: count, wrong: count }),
  /** The words for categories that the marketplace does not know, the most frequent first; '' is none. */
  unknownCategories: z.array(z.object({ word: z.string(), count })),
  /** Ads of earlier files of this source that `pauseMissing` would pause. */
  missing: count,
  /** Of the photos that the file names: how many wait, how many failed, and the first of those. */
  photos: z.object({
    waiting: count,
    failedCount: count,
    failed: z.array(z.object({ line: count, url: z.string(), failure: z.string() })),
  }),
});
export type ImportDetails = z.output<typeof ImportDetails>;

const RowProblem = z.object({
  /** As the file calls it; empty if it concerns the whole ad. */
  column: z.string(),
  what: z.string(),
  /** How to mend it. */
  how: z.string(),
});
export type RowProblem = z.output<typeof RowProblem>;

export const ImportRow = z.object({
  /** Its place among the ads of the file, from 1. */
  position: count,
  line: count,
  /** What the file calls the ad. */
  externalId: z.string(),
  title: z.string(),
  kind: z.enum(ROW_KINDS),
  /** The ad that it changes, or became. */
  adId: z.nullable(z.string()),
  problems: z.array(RowProblem),
  /** What is left out without making the row wrong. */
  notes: z.array(z.string()),
});
export type ImportRow = z.output<typeof ImportRow>;

/** A line of the file of mistakes. */
export const ImportMistake = z.extend(RowProblem, { line: count, id: z.string(), title: z.string() });
export type ImportMistake = z.output<typeof ImportMistake>;

/** What the server read at the beginning of a file. */
export const ReadFile = z.object({
  format: z.string(),
  /** Names what files of this form share: what the person chose for one counts for the next. */
  kind: z.string(),
  /** Of a table: its columns, what the first row has there, and what they mean: as chosen, else as guessed. */
  columns: z.nullable(
    z.array(z.object({ heading: z.string(), first: z.string(), meaning: z.enum(['', ...FIELD_NAMES]) })),
  ),
  categories: z.record(z.string(), z.string()),
  decimal: z.nullable(z.enum(['point', 'comma'])),
  /** Whether the person chose that earlier. */
  isRemembered: z.boolean(),
});
export type ReadFile = z.output<typeof ReadFile>;

export const ImportPreview = z.object({
  file: ReadFile,
  /** Null as long as no column is the title: nothing is known about the ads then. */
  import: z.nullable(ImportDetails),
});
export type ImportPreview = z.output<typeof ImportPreview>;

export const listImports = endpoint({
  method: 'GET',
  path: '/api/imports',
  summary: `The signed-in user's imports, newest first. At most ${LIMITS.imports}, for ${LIMITS.importDays} days`,
  access: 'user',
  scope: 'ads:read',
  reply: z.array(Import),
  tags: ['imports'],
});

export const previewImport = endpoint({
  method: 'POST',
  path: '/api/imports',
  summary: 'Takes a file of ads and says what an import would do. Replaces the preview before it, and changes no ad',
  access: 'user',
  scope: 'ads:write',
  query: z.object({
    /** Shown in the list of imports. */
    fileName: z.string().check(z.minLength(1), z.maxLength(255, saysTooLong(255))),
    /** Absent: the file says. */
    format: z.optional(z.enum(IMPORT_FORMATS, says('fields.unknownFormat'))),
    /** Keeps the ids of files apart that one program made for several shops. Default: the name of the format. */
    source: z.optional(z.string().check(z.minLength(1), z.maxLength(50, saysTooLong(50)))),
    /** Cuts texts that are too long, instead of refusing them. */
    truncate: z.optional(z.enum(['true', 'false'])),
  }),
  bodyTypes: FILE_TYPES,
  bodyLimit: LIMITS.importBytes,
  streamsBody: true,
  reply: ImportPreview,
  limit: 'importFile',
  errors: ['forbidden', 'conflict'],
  invalidates: ['imports'],
});

export const rememberImportChoices = endpoint({
  method: 'PUT',
  path: '/api/imports/choices/:kind',
  summary: `Remembers what columns and categories mean in files of this kind (of the preview), for the next preview. At most ${LIMITS.importChoices} kinds: the longest unused goes first`,
  access: 'user',
  scope: 'ads:write',
  params: z.object({ kind: z.string().check(z.regex(/^[0-9a-f]{32}$/, says('fields.unknownFileKind'))) }),
  body: ImportMapping,
});

export const getImport = endpoint({
  method: 'GET',
  path: '/api/imports/:id',
  summary: 'What an import of the signed-in user would do, does or did',
  access: 'user',
  scope: 'ads:read',
  params: IdParams,
  reply: ImportDetails,
  tags: ['import'],
});

export const listImportRows = endpoint({
  method: 'GET',
  path: '/api/imports/:id/rows',
  summary: `The first ${LIMITS.importShown} rows of an import, or of those of a kind`,
  access: 'user',
  scope: 'ads:read',
  params: IdParams,
  query: z.extend(PageQuery, {
    kind: z.optional(z.enum(ROW_KINDS, says('fields.oneOf', { values: ROW_KINDS.join(', ') }))),
  }),
  reply: z.array(ImportRow),
  paged: true,
  tags: ['import'],
});

export const listImportMistakes = endpoint({
  method: 'GET',
  path: '/api/imports/:id/mistakes',
  summary: 'Every mistake of the wrong rows of an import, and every photo that could not be fetched',
  access: 'user',
  scope: 'ads:read',
  params: IdParams,
  reply: z.array(ImportMistake),
  limit: 'importFile',
});

export const startImport = endpoint({
  method: 'POST',
  path: '/api/imports/:id/start',
  summary: 'Carries out what the preview says. A job does it: `getImport` has its progress',
  access: 'user',
  scope: 'ads:write',
  params: IdParams,
  body: z.object({
    /** New ads are paused until their seller resumes them. */
    asDrafts: z.optional(z.boolean()),
    /** Imports nothing if a row is wrong. */
    allOrNothing: z.optional(z.boolean()),
    /** Pauses ads of earlier files of this source that this file does not have. */
    pauseMissing: z.optional(z.boolean()),
  }),
  reply: ImportDetails,
  status: 202,
  errors: ['conflict'],
  invalidates: ['imports', 'import'],
});

export const deleteImport = endpoint({
  method: 'DELETE',
  path: '/api/imports/:id',
  summary: 'Forgets a preview, or an import that ended. Its ads stay',
  access: 'user',
  scope: 'ads:write',
  params: IdParams,
  errors: ['conflict'],
  invalidates: ['imports'],
});
