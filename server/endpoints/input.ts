import type * as z from 'zod/mini';
import { t } from '../../contract/i18n.ts';
import { LIMITS } from '../../contract/limits.ts';
import { AppError, invalid, notFound, refuseFields } from '../errors.ts';

const MAX_DEPTH = 20;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** NUL and lone surrogates: Postgres refuses them in any text. */
export const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed();

function checkJson(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (isUnstorable(value)) throw invalid({ body: 'fields.characters' });
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_DEPTH) throw new AppError('malformed_json', { key: 'errors.jsonDepth' });
    for (const [key, inner] of Object.entries(value)) {
      if (isUnstorable(key)) throw invalid({ body: 'fields.characters' });
      checkJson(inner, depth + 1);
    }
  }
}

/** The bytes outside of data URLs. */
function measureRest(bytes: Buffer): number {
  let rest = bytes.length;
  for (let at = 0; ; ) {
    const start = bytes.indexOf('"data:', at);
    const end = start < 0 ? -1 : bytes.indexOf('"', start + 1);
    if (end < 0) return rest;
    rest -= end - start;
    at = end + 1;
  }
}

/**
 * Parses a request body; an empty one is undefined. `limit` bounds what is outside of data URLs. The error never contains the
 * text, which may hold a password.
 */
export function parseJson(bytes: Buffer, limit: number = LIMITS.bodyJson): unknown {
  if (bytes.length === 0) return undefined;
  // many values take long to parse, a few long texts do not
  if (bytes.length > limit && measureRest(bytes) > limit) throw new AppError('payload_too_large');
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new AppError('malformed_json');
  }
  checkJson(value);
  return value;
}

const FORM_NAME = /\bname="([^"\r\n]*)"/;

/** The name and the text of one part: headers, an empty line, a value of one line. */
function parseFormPart(part: string): [name: string, value: string][] {
  const lines = part.split('\n');
  const end = lines.indexOf('', 1);
  const name = lines.slice(0, end).map((line) => FORM_NAME.exec(line)?.[1]);
  const found = name.find((one) => one !== undefined);
  return end < 0 || found === undefined ? [] : [[found, lines[end + 1] ?? '']];
}

/** Parses a small form, `application/x-www-form-urlencoded` or `multipart/form-data`, into texts by name. */
export function parseForm(bytes: Buffer): unknown {
  const text = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');
  const isMultipart = text.startsWith('--');
  const fields = isMultipart
    ? text.split(`\n${text.split('\n', 1)[0]}`).flatMap(parseFormPart)
    : [...new URLSearchParams(text)];
  const form = Object.fromEntries(fields);
  checkJson(form);
  return form;
}

function fieldsOf(issues: z.core.$ZodIssue[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) {
    const name = path.length > 0 ? String(path[0]) : 'body';
    fields[name] ??= message;
  }
  return fields;
}

export function parseParams(schema: z.ZodMiniType | undefined, params: Record<string, string>): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw notFound();
  return parsed.data;
}

export function parseQuery(schema: z.ZodMiniType | undefined, query: Record<string, unknown>): unknown {
  if (!schema) return undefined;
  const bad = Object.keys(query).find((key) => typeof query[key] === 'string' && isUnstorable(query[key]));
  if (bad !== undefined) throw invalid({ [bad]: 'fields.characters' });
  return parseBody(schema, { ...query });
}

export function parseBody(schema: z.ZodMiniType | undefined, body: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(body, { error: () => t('fields.invalid') });
  if (!parsed.success) throw refuseFields(fieldsOf(parsed.error.issues));
  return parsed.data;
}
