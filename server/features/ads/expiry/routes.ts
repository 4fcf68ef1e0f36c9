import * as api from '../../../../contract/expiry.ts';
import { route } from '../../../http/endpoints/define.ts';
import { answerQuestion, getQuestion } from './questions.ts';

export const expiryRoutes = [
  route(api.getExpiryQuestion, ({ ctx, query }) => getQuestion(ctx, query.token)),

  route(api.answerExpiryQuestion, ({ ctx, body }) => answerQuestion(ctx, body.token, body.answer)),
];
