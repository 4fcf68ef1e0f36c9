/**
 * Edit distance: letters to insert, delete, replace or swap. A swap, the most frequent typing error, is one edit;
 * fastest-levenshtein counts two.
 */
export function countEdits(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : replaced;
      row[j] = Math.min(replaced, swapped, row[j - 1]! + 1, rows[i - 1]![j]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
