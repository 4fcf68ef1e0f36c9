import { listAds } from '../../contract/ads.ts';
import categories from '../../seeds/categories.json' with { type: 'json' };
import type { AppContext } from '../../server/app-context.ts';
import { countWords } from '../../server/features/ads/search/words-repository.ts';
import { createAd } from '../../server/features/ads/service.ts';
import { seedCategories } from '../../server/features/categories/service.ts';
import type { Client } from '../harness/client.ts';
import { insertUser } from '../harness/factories.ts';
import type { Corpus } from './corpus.ts';
import { judge, PAGE_SIZE, type Verdict } from './judge.ts';

/** As an operator would set it: the language of the ads, and English, in which brands and things are often named. */
export const searchEnv = ({ language }: Corpus) => ({
  SEARCH_LANGUAGES: language === 'en' ? 'en' : `${language},en`,
});

/** Posts the ads, each by a seller of its own, as similar ads of one seller are refused. Returns the things by ad id. */
async function postAds(app: AppContext, { ads }: Corpus): Promise<Map<string, string>> {
  await seedCategories(app, categories);
  const things = new Map<string, string>();
  for (const { thing, input } of ads) {
    const { id, role } = await insertUser(app);
    // people give things away for 0, too
    const { ad } = await createAd(app, { kind: 'user', id, role }, { ...input, confirmPrice: true });
    things.set(ad.id, thing);
  }
  return things;
}

/** Posts the ads of the corpus to an empty marketplace and asks every query as a visitor. */
export async function askAll(app: AppContext, visitor: Client, corpus: Corpus): Promise<Verdict[]> {
  const things = await postAds(app, corpus);
  // as a job does every night
  await countWords(app.jobsDb);
  const verdicts: Verdict[] = [];
  for (const query of corpus.queries) {
    const page = await visitor.ok(listAds, { query: { search: query.search, limit: String(PAGE_SIZE) } });
    const found = page.map(({ id, title }) => ({ thing: things.get(id) ?? '', title }));
    verdicts.push(judge(corpus, query, found));
  }
  return verdicts;
}
