import { type TextKey, type TextValues, t } from './i18n.ts';

/** The argument of a check of zod that says what is wrong, in the language that is spoken when it is checked. */
export interface Says {
  error: () => string;
}

export const says = (key: TextKey, values?: TextValues): Says => ({ error: () => t(key, values) });

export const saysTooLong = (max: number): Says => says('fields.tooLong', { max: String(max) });
