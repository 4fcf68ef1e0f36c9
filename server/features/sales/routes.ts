import { setAdSold as setAdSoldEndpoint } from '../../../contract/ads.ts';
import * as expiryApi from '../../../contract/expiry.ts';
import { route } from '../../http/endpoints/define.ts';
import { presentPrivateAd } from '../ads/presenter.ts';
import { answerQuestion, getQuestion } from './expiry-questions.ts';
import { setAdSold } from './service.ts';

export const saleRoutes = [
  route(setAdSoldEndpoint, async ({ ctx, actor, params, body }) =>
    presentPrivateAd(await setAdSold(ctx, actor, params.id, body.isSold)),
  ),
];

export const expiryRoutes = [
  route(expiryApi.getExpiryQuestion, ({ ctx, query }) => getQuestion(ctx, query.token)),

  route(expiryApi.answerExpiryQuestion, ({ ctx, body }) => answerQuestion(ctx, body.token, body.answer)),
];
