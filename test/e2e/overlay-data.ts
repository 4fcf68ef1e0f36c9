import { type APIRequestContext, expect, request as requests } from '@playwright/test';
import { BUYER, newWord, postAds, SELLER, sendAs } from './content.ts';
import type { ScreenNames } from './screen-data.ts';

const AS_SELLER = { 'Sec-Fetch-Site': 'same-origin', 'X-Test-User': SELLER };

/** An ad of the seller about which the buyer has written. */
const postAskedAd = async (request: APIRequestContext, title: string): Promise<string> => {
  const [id = ''] = await postAds(request, 1, newWord(title), { priceType: 'negotiable', price: 120 });
  await sendAs(request, BUYER, '/api/messages', { adId: id, receiverId: SELLER, content: 'I take it.' });
  return id;
};

/** What OVERLAYS need beside the screens: a deal that the buyer may rate, a reservation, an offer, and a webhook that fails. */
export const prepareOverlays = async (baseURL: string, names: ScreenNames): Promise<void> => {
  const request = await requests.newContext({ baseURL });
  const change = async (method: 'put' | 'patch', path: string, data: object) =>
    expect((await request[method](path, { headers: AS_SELLER, data })).ok()).toBe(true);
  const easel = await postAskedAd(request, 'Easel ');
  await change('patch', `/api/ads/${easel}/sold`, { isSold: true, buyerId: BUYER });
  const stove = await postAskedAd(request, 'Stove ');
  await change('put', `/api/ads/${stove}/reservation`, { userId: BUYER });
  names.set(':reserved', stove);
  // nothing listens at port 9
  const webhook = { url: 'http://127.0.0.1:9/hook', events: ['offer.made'] };
  await sendAs(request, SELLER, '/api/webhooks', webhook);
  const lamp = await postAskedAd(request, 'Lamp ');
  await sendAs(request, BUYER, '/api/offers', { adId: lamp, receiverId: SELLER, amount: '100' });
  names.set(':offered', lamp);
  await request.dispose();
};
