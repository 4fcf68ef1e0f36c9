import type { Environment } from './load.ts';
import { type ConfigVariable, variables } from './schema.ts';

/** How many letters must be added, dropped or changed to make one word the other. */
const distance = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const row = [i + 1];
    for (const [j, other] of [...b].entries())
      row.push(Math.min(row[j]! + 1, previous[j + 1]! + 1, previous[j]! + (letter === other ? 0 : 1)));
    previous = row;
  }
  return previous[b.length]!;
};

const NAMES = Object.values<ConfigVariable>(variables).map(({ name }) => name);

/** Variables that are none of ours but look like a misspelling of one. */
export const nameUnknownVariables = (env: Environment): string[] =>
  Object.keys(env).flatMap((name) => {
    const bare = name.replace(/_FILE$/, '');
    if (NAMES.includes(bare) || bare.length < 6) return [];
    const meant = NAMES.find((known) => known.length >= 6 && distance(bare, known) <= 2);
    return meant ? [`${name} is not known; did you mean ${meant}?`] : [];
  });
