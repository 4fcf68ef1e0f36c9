import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LANGUAGES } from './languages.ts';
import { says } from './says.ts';
import { text } from './text.ts';

/** The pages whose text administrators may write, by their ids in `pages.ts`. */
export const TEXT_PAGES = ['terms-of-service', 'privacy', 'safety-tips', 'how-it-works', 'contact', 'imprint'] as const;
export type TextPage = (typeof TEXT_PAGES)[number];

export const isTextPage = (id: string): id is TextPage => (TEXT_PAGES as readonly string[]).includes(id);

export const PAGE_TEXT_LIMITS = {
  text: 100_000,
  /** In bytes, of a body with the longest text. */
  body: 500_000,
  /** Of a page in one language; older ones are deleted. */
  versions: 100,
} as const;

const Part = z.object({ title: z.string(), html: z.string() });
const Section = z.extend(Part, {
  /** Unique on the page. */
  id: z.string(),
  parts: z.array(Part),
});
export type TextSection = z.output<typeof Section>;

/** A text as HTML that the server made from Markdown: tags without attributes, and links. */
const RenderedText = z.object({
  /** What comes before the first heading. */
  intro: z.string(),
  sections: z.array(Section),
});
export type RenderedText = z.output<typeof RenderedText>;

export const PageText = z.extend(RenderedText, {
  page: z.enum(TEXT_PAGES),
  /** In which it is written. */
  language: z.enum(LANGUAGES),
  isBuiltIn: z.boolean(),
  /** A day, or a month such as "2025-01". Null: the built-in text names no date. */
  updated: z.nullable(z.string()),
});
export type PageText = z.output<typeof PageText>;

const VERSION_ID = /^[1-9]\d{0,17}$/;

/** Whether it may be the id of a version. */
export const isVersionId = (id: string): boolean => VERSION_ID.test(id);

const OfPage = z.object({ page: z.enum(TEXT_PAGES) });
/** Without it the marketplace's first language. */
const InLanguage = z.object({ language: z.optional(z.enum(LANGUAGES, says('fields.unknownLanguage'))) });
const Markdown = text({
  max: PAGE_TEXT_LIMITS.text,
  required: 'fields.textBlank',
  multiline: true,
});

export const readPageText = endpoint({
  method: 'GET',
  path: '/api/pages/:page',
  summary:
    'The text of a page, such as the terms, for readers of a language; 404 for an imprint without text. `language` says in which one it is written',
  access: 'public',
  params: OfPage,
  query: InLanguage,
  scope: 'public',
  reply: PageText,
  shared: true,
  tags: ['pages'],
});

const PageVersion = z.object({
  id: z.string(),
  savedAt: z.string(),
  /** Null for `marketctl`, and once the account is deleted. */
  savedBy: z.nullable(z.string()),
  /** Whether the page went back to its built-in text. */
  isBuiltIn: z.boolean(),
  characters: z.number(),
});
export type PageVersion = z.output<typeof PageVersion>;

export const EditedPage = z.object({
  page: z.enum(TEXT_PAGES),
  language: z.enum(LANGUAGES),
  /** In which language its readers see the page: another one, as long as only that one has a text. */
  shown: z.enum(LANGUAGES),
  /** Markdown; empty for an imprint without text. */
  text: z.string(),
  isBuiltIn: z.boolean(),
  /** Changes with the text; send it with a change. */
  version: z.string(),
  /** The newest first. */
  versions: z.array(PageVersion),
});
export type EditedPage = z.output<typeof EditedPage>;

/** The version that was edited: 409 `conflict` if the page has changed since. Without it the last write wins. */
const Version = z.optional(z.string().check(z.maxLength(20)));

export const getPage = endpoint({
  method: 'GET',
  path: '/api/admin/pages/:page',
  summary: 'The text of a page in a language, in Markdown, with its versions',
  access: 'admin',
  params: OfPage,
  query: InLanguage,
  scope: 'admin:read',
  reply: EditedPage,
});

export const getPageVersion = endpoint({
  method: 'GET',
  path: '/api/admin/pages/:page/versions/:id',
  summary: 'The text of a former version in Markdown',
  access: 'admin',
  params: z.extend(OfPage, { id: z.string().check(z.regex(VERSION_ID)) }),
  query: InLanguage,
  scope: 'admin:read',
  reply: z.object({ id: z.string(), text: z.string() }),
});

export const previewPage = endpoint({
  method: 'POST',
  path: '/api/admin/page-preview',
  summary: 'What a text would look like; stores nothing',
  access: 'admin',
  query: InLanguage,
  body: z.object({ text: Markdown }),
  bodyLimit: PAGE_TEXT_LIMITS.body,
  jsonLimit: PAGE_TEXT_LIMITS.body,
  scope: 'admin:read',
  reply: RenderedText,
  status: 200,
  // one for each pause in typing
  limit: 'suggest',
  changesNothing: true,
});

export const updatePage = endpoint({
  method: 'PUT',
  path: '/api/admin/pages/:page',
  summary: 'Changes the text of a page in a language; the page shows it within a second',
  access: 'admin',
  params: OfPage,
  query: InLanguage,
  body: z.object({ text: Markdown, version: Version }),
  bodyLimit: PAGE_TEXT_LIMITS.body,
  jsonLimit: PAGE_TEXT_LIMITS.body,
  scope: 'session',
  reply: EditedPage,
  errors: ['conflict'],
  invalidates: ['pages'],
});

export const restorePage = endpoint({
  method: 'POST',
  path: '/api/admin/pages/:page/restore',
  summary: 'Makes a former version the text of the page again',
  access: 'admin',
  params: OfPage,
  query: InLanguage,
  body: z.object({ id: z.string().check(z.regex(VERSION_ID, says('fields.versionId'))), version: Version }),
  scope: 'session',
  reply: EditedPage,
  status: 200,
  errors: ['conflict'],
  invalidates: ['pages'],
});

export const resetPage = endpoint({
  method: 'DELETE',
  path: '/api/admin/pages/:page',
  summary: 'Brings the built-in text back; an imprint is then gone',
  access: 'admin',
  params: OfPage,
  query: InLanguage,
  status: 200,
  scope: 'session',
  reply: EditedPage,
  invalidates: ['pages'],
});
