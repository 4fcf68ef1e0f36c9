import type { AdminCategory } from '../../../contract/admin-categories.ts';
import { toIcon } from '../../../contract/category-icons.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Category } from '../../../contract/stats.ts';
import type { CategoryRow } from '../../db/rows.ts';
import type { NameRow } from './names-repository.ts';
import { toCategoryVersion } from './service.ts';

export const presentCategory = ({ slug, name, emoji }: CategoryRow): Category => ({
  slug,
  name,
  emoji,
  icon: toIcon(emoji),
});

/** `names`: of any categories. */
export const presentAdminCategory = (row: CategoryRow, names: readonly NameRow[]): AdminCategory => {
  const own = names.filter(({ category_id }) => category_id === row.id);
  return {
    ...presentCategory(row),
    isDisabled: row.is_disabled,
    names: own.map(({ language, name }) => ({ language: language as Language, name })),
    version: toCategoryVersion(row, own),
  };
};
