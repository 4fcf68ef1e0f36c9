import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { says } from './says.ts';
import { Id, IdParams, Timestamp } from './scalars.ts';
import { text } from './text.ts';

const language = z.nullable(z.string().check(z.regex(/^[a-z]{2}$/, says('fields.languageCode'))));

export const SynonymGroup = z.object({
  id: Id,
  /** In lower case. A group of one word switches the built-in synonyms of this word off. */
  words: z.array(z.string()),
  /** Null for all languages. */
  language: z.nullable(z.string()),
  /** A search for the first word also finds the others, but not the reverse. */
  isOneWay: z.boolean(),
  createdAt: Timestamp,
});
export type SynonymGroup = z.output<typeof SynonymGroup>;

export const SynonymInput = z.object({
  words: z
    .array(text({ max: LIMITS.synonym, required: 'fields.wordBlank' }))
    .check(
      z.minLength(1, says('fields.typeWord')),
      z.maxLength(LIMITS.synonymWords, says('fields.wordsMost', { max: LIMITS.synonymWords })),
    ),
  language: z.optional(language),
  isOneWay: z.optional(z.boolean()),
});
export type SynonymInput = z.output<typeof SynonymInput>;

export const listSynonyms = endpoint({
  method: 'GET',
  path: '/api/admin/search/synonyms',
  summary: "The operators' groups of words that mean the same, in the order in which they were added",
  access: 'admin',
  scope: 'admin:read',
  reply: z.array(SynonymGroup),
  tags: ['synonyms'],
});

export const addSynonyms = endpoint({
  method: 'POST',
  path: '/api/admin/search/synonyms',
  summary: 'Adds a group; its words no longer use the built-in groups. One word alone finds only itself',
  access: 'admin',
  scope: 'session',
  body: SynonymInput,
  reply: SynonymGroup,
  status: 201,
  otherStatus: 200,
  errors: ['conflict'],
  invalidates: ['synonyms'],
});

export const removeSynonyms = endpoint({
  method: 'DELETE',
  path: '/api/admin/search/synonyms/:id',
  summary: 'Removes a group; its words use the built-in groups again',
  access: 'admin',
  scope: 'session',
  params: IdParams,
  invalidates: ['synonyms'],
});
