import type * as z from 'zod/mini';
import { AppError, invalid, notFound } from '../../errors.ts';

const MAX_DEPTH = 20;
// NUL and lone surrogates: Postgres refuses them in any text
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

const decoder = new TextDecoder('utf-8', { fatal: true });

export const isUnstorable = (text: string): boolean => UNSTORABLE.test(text);

export function checkJson(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (isUnstorable(value)) throw invalid({ body: 'Contains characters that are not allowed' });
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_DEPTH) throw new AppError('malformed_json', { message: 'The JSON is nested too deeply' });
    for (const [key, inner] of Object.entries(value)) {
      if (isUnstorable(key)) throw invalid({ body: 'Contains characters that are not allowed' });
      checkJson(inner, depth + 1);
    }
  }
}

/** Parses a request body; an empty one is undefined. The error never contains the text, which may hold a password. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new AppError('malformed_json');
  }
  checkJson(value);
  return value;
}

const FORM_PART = /\bname="([^"\r\n]*)"[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]*)\r?\n--/g;

/** Parses a small form, `application/x-www-form-urlencoded` or `multipart/form-data`, into texts by name. */
export function parseForm(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  const isMultipart = text.startsWith('--');
  const fields = isMultipart
    ? [...text.matchAll(FORM_PART)].map(([, name = '', value = '']) => [name, value])
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
  if (bad !== undefined) throw invalid({ [bad]: 'Contains characters that are not allowed' });
  return parseBody(schema, { ...query });
}

export function parseBody(schema: z.ZodMiniType | undefined, body: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw invalid(fieldsOf(parsed.error.issues));
  return parsed.data;
}
