import { t } from '../../../contract/i18n.ts';
import type { User } from '../../../contract/user.ts';

/** What a page calls a person who may have deleted their account. */
export const nameOf = ({ displayName, isDeleted }: Pick<User, 'displayName' | 'isDeleted'>): string =>
  isDeleted ? t('person.deletedUser') : displayName;
