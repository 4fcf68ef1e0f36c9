import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import { t } from '../../../contract/i18n.ts';
import { isVisible } from '../../../contract/text.ts';

/** `required`: the field is empty, or contains only what nobody sees. */
export type ProblemType = 'required' | 'invalid';

type FormEndpoint = Pick<EndpointSpec, 'body' | 'loadBody'>;

export interface FormSchema<Values extends FieldValues> {
  endpoint: FormEndpoint;
  /** Converts the values to the request body that the schema checks. Default: the values themselves. */
  toBody?: (values: Values) => unknown;
  toMessage?: (field: string, message: string, type: ProblemType) => string;
  /** What else is wrong, by field or `field.key`, if the schema cannot know it. */
  findProblems?: (values: Values) => Promise<Record<string, string>>;
}

/** What checks a form before it is sent. Undefined if its code cannot be loaded: the server checks the form in any case. */
export const loadSchema = async ({ body, loadBody }: FormEndpoint): Promise<EndpointSpec['body']> =>
  body ?? loadBody?.().catch(() => undefined);

/** Validates a form with the schema of its endpoint. The type of each error is a `ProblemType`. */
export const createResolver =
  <Values extends FieldValues>({ endpoint, toBody, toMessage, findProblems }: FormSchema<Values>): Resolver<Values> =>
  async (values) => {
    const schema = await loadSchema(endpoint);
    const result = schema?.safeParse(toBody ? toBody(values) : values, { error: () => t('fields.invalid') });
    const errors: FieldErrors<FieldValues> = {};
    for (const { path, message } of result?.error?.issues ?? []) {
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
