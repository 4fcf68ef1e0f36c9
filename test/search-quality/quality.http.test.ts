import { describe, expect, test } from 'vitest';
import { openTestApp } from '../harness/app.ts';
import { askAll, searchEnv } from './ask.ts';
import { readCorpora, shorten } from './corpus.ts';
import { summarize } from './judge.ts';

/** A little under what is measured, so that a change that makes the search worse is noticed before the whole run. */
const LEAST = { complete: 0.85, bestInFront: 0.9, nearMissInFront: 0.15, empty: 0 };

describe.each(readCorpora().map(shorten))('of the queries in "$set/$language"', async (corpus) => {
  const { app, anonymous } = await openTestApp({ env: searchEnv(corpus) });

  test('nearly all get the first page that a person expects', async () => {
    const verdicts = await askAll(app, anonymous, corpus);
    const failing = verdicts
      .filter(({ faults }) => faults.length > 0)
      .map(({ query, faults }) => [query.search, faults]);
    const { complete, bestInFront, nearMissInFront, empty } = summarize(corpus.ads.length, verdicts);
    const missed = [
      complete < LEAST.complete && `complete ${complete}`,
      bestInFront < LEAST.bestInFront && `best in front ${bestInFront}`,
      nearMissInFront > LEAST.nearMissInFront && `near miss in front ${nearMissInFront}`,
      empty > LEAST.empty && `empty ${empty}`,
    ].filter(Boolean);
    expect({ missed, failing: missed.length > 0 ? failing : [] }).toEqual({ missed: [], failing: [] });
  });
});
