import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type * as z from 'zod/mini';
import { isVisible } from '../../../contract/text.ts';

/** `required`: the field is empty, or contains only what nobody sees. */
export type ProblemType = 'required' | 'invalid';

export interface FormSchema<Values extends FieldValues> {
  schema: z.ZodMiniType;
  /** Converts the values to the request body that the schema checks. Default: the values themselves. */
  toBody?: (values: Values) => unknown;
  toMessage?: (field: string, message: string, type: ProblemType) => string;
  /** What else is wrong, by field or `field.key`, if the schema cannot know it. */
  findProblems?: (values: Values) => Promise<Record<string, string>>;
}

/** Validates a form with the schema of its endpoint. The type of each error is a `ProblemType`. */
export const createResolver =
  <Values extends FieldValues>({ schema, toBody, toMessage, findProblems }: FormSchema<Values>): Resolver<Values> =>
  async (values) => {
    const { error } = schema.safeParse(toBody ? toBody(values) : values);
    const errors: FieldErrors<FieldValues> = {};
    for (const { path, message } of error?.issues ?? []) {
      const field = String(path[0]);
      if (!(field in values)) continue;
      const type = isVisible(String(values[field])) ? 'invalid' : 'required';
      errors[field] ??= { type, message: toMessage?.(field, message, type) ?? message };
    }
    for (const [name, message] of Object.entries((await findProblems?.(values)) ?? {})) {
      const [field = '', key] = name.split('.');
      const problem = { type: 'invalid', message };
      errors[field] = key === undefined ? problem : ({ ...errors[field], [key]: problem } as typeof problem);
    }
    if (Object.keys(errors).length === 0) return { values, errors: {} };
    return { values: {}, errors: errors as FieldErrors<Values> };
  };
