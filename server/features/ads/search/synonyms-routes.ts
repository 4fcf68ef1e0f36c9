import * as api from '../../../../contract/synonyms.ts';
import { route } from '../../../endpoints/define.ts';
import { listSynonyms, type SynonymRow } from './synonyms-repository.ts';
import { addSynonyms, removeSynonyms } from './synonyms-service.ts';

const present = ({ id, words, language, is_one_way, created_at }: SynonymRow): api.SynonymGroup => ({
  id,
  words,
  language,
  isOneWay: is_one_way,
  createdAt: created_at,
});

export const synonymRoutes = [
  route(api.listSynonyms, async ({ ctx }) => (await listSynonyms(ctx.db)).map(present)),

  route(api.addSynonyms, async ({ ctx, actor, body, reply, request }) => {
    const { group, isNew } = await addSynonyms(ctx, actor, body, { requestId: request.id });
    if (!isNew) reply.status(200);
    return present(group);
  }),

  route(api.removeSynonyms, ({ ctx, actor, params, request }) =>
    removeSynonyms(ctx, actor, params.id, { requestId: request.id }),
  ),
];
