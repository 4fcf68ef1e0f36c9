import type { Category } from '../../../contract/stats.ts';
import type { CategoryRow } from '../../db/rows.ts';
import { toIcon } from './icons.ts';

export const presentCategory = ({ slug, name, emoji }: CategoryRow): Category => ({
  slug,
  name,
  emoji,
  icon: toIcon(emoji),
});
