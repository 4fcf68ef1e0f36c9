import { formatCount } from '../../lib/format-count.ts';

/** "87", or "1,000+" where the server stopped counting. */
export const formatTotal = (total: number, exact: boolean): string => `${formatCount(total)}${exact ? '' : '+'}`;
