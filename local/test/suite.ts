/** What one suite came to. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  /** Why something was not run, or passed at a second try only; printed at the end. */
  notes: string[];
}

export interface Suite {
  name: string;
  /** A check passes or fails as a whole and is no test: only its failure counts. */
  isCheck?: boolean;
  run: () => Promise<Outcome> | Outcome;
}

export const nothing = (notes: string[] = []): Outcome => ({ passed: 0, failed: 0, skipped: 0, notes });
export const failure = (): Outcome => ({ passed: 0, failed: 1, skipped: 0, notes: [] });

export const addUp = (outcomes: Outcome[]): Outcome =>
  outcomes.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
      notes: [...sum.notes, ...one.notes],
    }),
    nothing(),
  );
