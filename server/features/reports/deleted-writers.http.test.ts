import { beforeAll, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import * as api from '../../../contract/reports.ts';
import { deleteMe } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, SETTLED } from '../../../test/harness/factories.ts';
import { deleteTextsOfDeletedWriters } from './case-repository.ts';

const { app, createPerson } = await openTestApp({ env: { LOCALES: 'en,de' } });
beforeAll(() => insertCategories(app));

const clean = () => deleteTextsOfDeletedWriters(app.db);

test.each(['scam', 'other'] as const)(
  'what a deleted person wrote in a report (%s) goes when nobody needs it',
  async (reason) => {
    const [seller, reporter, present, moderator] = [
      await createPerson(SETTLED),
      await createPerson(SETTLED),
      await createPerson(SETTLED),
      await createPerson({ ...SETTLED, role: 'moderator' }),
    ];
    const { id: targetId } = await seller.client.ok(createAd, { body: adBody() });
    for (const { client } of [reporter, present])
      await client.ok(api.createReport, {
        body: { targetType: 'ad', targetId, reason, details: 'He lives at my street' },
      });
    const detailsOf = async ({ id }: { id: string }) =>
      (await app.db('reports').where({ reporter_id: id }).first()).details;
    await reporter.client.ok(deleteMe);
    await clean();
    // staff still decide about it
    expect(await detailsOf(reporter)).toBe('He lives at my street');
    const { id } = await app.db('moderation_cases').where({ target_id: targetId }).first();
    await moderator.client.ok(api.decideCase, { params: { id }, body: { action: 'remove', reason: 'scam' } });
    const [decision] = await seller.client.ok(api.listMyDecisions);
    await seller.client.ok(api.appealDecision, {
      params: { id: decision!.id },
      body: { text: 'I know who wrote that' },
    });
    await app.db('moderation_cases').where({ id }).update({ decided_at: '2026-01-01' });
    await clean();
    expect(await detailsOf(reporter)).toBe('He lives at my street');
    const appealCase = await app
      .db('moderation_cases')
      .where({ target_type: 'decision', target_id: decision!.id })
      .first();
    await app.db('moderation_cases').where({ id: appealCase.id }).update({ decided_at: '2026-01-02' });
    await clean();
    expect(await detailsOf(reporter)).toBe(reason === 'other' ? 'Deleted with the account of the writer.' : null);
    expect(await detailsOf(present)).toBe('He lives at my street');
    const readIn = (language: string, caseId: string) =>
      moderator.client.ok(api.getCase, { params: { id: caseId }, headers: { 'Accept-Language': language } });
    const { reports } = await readIn('de', id);
    const gone = reports.find(({ reporter: { username } }) => username === null)!;
    expect(gone.reporter.displayName).toBe('Gelöschter Nutzer');
    expect(gone.details).toBe(
      reason === 'other' ? 'Mit dem Konto der Person gelöscht, die das geschrieben hat.' : null,
    );
    const textOf = async () => (await app.db('appeals').where({ case_id: appealCase.id }).first()).text;
    expect(await textOf()).toBe('I know who wrote that');
    await seller.client.ok(deleteMe);
    await clean();
    expect(await textOf()).toBe('Deleted with the account of the writer.');
    expect((await readIn('en', appealCase.id)).appeal?.text).toBe('Deleted with the account of the writer.');
    expect((await readIn('de', appealCase.id)).appeal?.text).toMatch(/^Mit dem Konto/);
  },
);
