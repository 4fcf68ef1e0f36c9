import type { AdminCategory } from '../../../contract/admin-categories.ts';
import { toIcon } from '../../../contract/category-icons.ts';
import type { Category } from '../../../contract/stats.ts';
import type { CategoryRow } from '../../db/rows.ts';
import { toCategoryVersion } from './service.ts';

export const presentCategory = ({ slug, name, emoji }: CategoryRow): Category => ({
  slug,
  name,
  emoji,
  icon: toIcon(emoji),
});

export const presentAdminCategory = (row: CategoryRow): AdminCategory => ({
  ...presentCategory(row),
  isDisabled: row.is_disabled,
  version: toCategoryVersion(row),
});
