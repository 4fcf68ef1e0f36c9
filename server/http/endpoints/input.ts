import type * as z from 'zod/mini';
import { invalid, notFound } from '../../errors.ts';
import { isUnstorable } from '../uploads/json.ts';

type Issues = z.core.$ZodIssue[];

function fieldsOf(issues: Issues): Record<string, string> {
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
  const parsed = schema.safeParse({ ...query });
  if (!parsed.success) throw invalid(fieldsOf(parsed.error.issues));
  return parsed.data;
}

export function parseBody(schema: z.ZodMiniType | undefined, body: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw invalid(fieldsOf(parsed.error.issues));
  return parsed.data;
}
