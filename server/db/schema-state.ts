/** The database's migrations are neither those of this release nor those of a newer one. */
export class UnknownSchema extends Error {}

const listed = (names: readonly string[]): string => names.join(', ');

/**
 * Applied migrations that this release does not know because a newer one brought them: all of ours come before them, and
 * all of ours are there. `known` is in order. Throws UnknownSchema where it cannot be so.
 */
export function findNewer(known: readonly string[], applied: readonly string[]): string[] {
  const strangers = applied.filter((name) => !known.includes(name)).sort();
  const last = known.at(-1) ?? '';
  const foreign = strangers.filter((name) => name <= last);
  if (foreign.length > 0)
    throw new UnknownSchema(`The database has migrations of another history than this release's: ${listed(foreign)}.`);
  const missing = known.filter((name) => !applied.includes(name));
  if (strangers.length > 0 && missing.length > 0)
    throw new UnknownSchema(`The database lacks ${listed(missing)}, although it has the newer ${listed(strangers)}.`);
  return strangers;
}

interface Listed {
  name: string;
  appliedAt: string | null;
  isKnown: boolean;
}

/** findNewer of what listMigrations tells. */
export const findNewerOf = (migrations: readonly Listed[]): string[] => {
  const names = (those: readonly Listed[]) => those.map(({ name }) => name);
  return findNewer(
    names(migrations.filter(({ isKnown }) => isKnown)).sort(),
    names(migrations.filter(({ appliedAt }) => appliedAt !== null)),
  );
};

/** For an operator who starts an older release after a newer one. */
export const toNewerSchemaMessage = (newer: readonly string[]): string =>
  `The schema is newer than this release, by ${listed(newer)}. This release runs on it: migrations only add.`;
