import type { UserRow } from '../../server/db/rows.ts';
import { type RunOptions, runImport } from '../../server/features/imports/run.ts';
import { type ImportChoices, previewImport, readImport, startImport } from '../../server/features/imports/service.ts';
import type { UserActor } from '../../server/policy.ts';
import type { TestApp } from './app.ts';
import { insertUser } from './factories.ts';

export const RUN_OPTIONS: RunOptions = { asDrafts: false, allOrNothing: false, pauseMissing: false };

const toBytes = async function* (text: string) {
  yield Buffer.from(text);
};

/** Somebody who imports ads, with their ads. */
export const createImporter = async (app: TestApp['app'], columns: Partial<UserRow> = {}) => {
  const user = await insertUser(app, columns);
  const actor: UserActor = { kind: 'user', id: user.id, role: user.role };
  const preview = async (text: string, choices?: ImportChoices) =>
    readImport(app, actor, await previewImport(app, actor, { fileName: 'ads.csv', bytes: toBytes(text) }, choices));
  const start = async (text: string, options: Partial<RunOptions> = {}, choices?: ImportChoices) => {
    const { id } = await preview(text, choices);
    await startImport(app, actor, id, { ...RUN_OPTIONS, ...options });
    return id;
  };
  const run = async (...given: Parameters<typeof start>) => {
    const id = await start(...given);
    await runImport(app, id);
    return readImport(app, actor, id);
  };
  const listAds = () => app.db('ads').where({ user_id: user.id }).whereNot({ state: 'deleted' }).orderBy('id');
  return { ...user, actor, preview, start, run, listAds };
};

const HEAD = 'id,title,description,price,category,images,state';

export const toAdsCsv = (...rows: string[]) => [HEAD, ...rows].join('\n');

export const manyAds = (count: number, price = 10) =>
  toAdsCsv(
    ...Array.from({ length: count }, (_, i) => `${i},Chair ${i},A chair of oak number ${i},${price},furniture,,`),
  );
