import { t } from '../../../contract/i18n.ts';
import type { UserRow } from '../../db/rows.ts';

type Named = Pick<UserRow, 'display_name' | 'deleted_at'> & Partial<Pick<UserRow, 'x_id' | 'username' | 'role'>>;

/**
 * What a person is called in the language that is spoken now. An administrator whom `marketctl` made has neither an X account nor a
 * handle, and so no name of their own.
 */
export const sayName = ({ display_name, deleted_at, x_id, username, role }: Named): string => {
  if (deleted_at !== null) return t('person.deletedUser');
  return x_id === null && username === null && role === 'admin' ? t('people.role_admin') : display_name;
};
