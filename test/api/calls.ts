/**
 * What programs do most, as commands of a shell. docs/API.md shows them, and the test runs each, in this order, with the variables
 * SITE, TOKEN, AD, THEIR_AD, SELLER and OFFER, in a folder with photo.jpg.
 */
export interface Call {
  title: string;
  /** The endpoint that it calls. */
  name: string;
  curl: string;
}

export const CALLS: readonly Call[] = [
  {
    title: 'Read whose token it is',
    name: 'getMe',
    curl: `curl "$SITE/api/auth/me" -H "Authorization: Bearer $TOKEN"`,
  },
  {
    title: 'Find ads',
    name: 'listAds',
    curl: `curl "$SITE/api/ads?search=kettle&maxPrice=20&sort=price_asc&limit=10" -H "Authorization: Bearer $TOKEN"`,
  },
  {
    title: 'Upload a photo: the reply has its address, for `imageUrls` of an ad',
    name: 'uploadPhoto',
    curl: `curl "$SITE/api/photos" -H "Authorization: Bearer $TOKEN" -H "Content-Type: image/jpeg" --data-binary @photo.jpg`,
  },
  {
    title: 'Post an ad. With an `Idempotency-Key`, a repetition posts no second one',
    name: 'createAd',
    curl: `curl "$SITE/api/ads" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: stock-4711" \\
  -d '{"title": "Red kettle", "description": "Boils water.", "price": "15", "category": "appliances"}'`,
  },
  {
    title: 'Pause an ad, or show it again with `false`',
    name: 'setAdPaused',
    curl: `curl -X PATCH "$SITE/api/ads/$AD/paused" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"paused": true}'`,
  },
  {
    title: 'Mark an ad as sold',
    name: 'setAdSold',
    curl: `curl -X PATCH "$SITE/api/ads/$AD/sold" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"isSold": true}'`,
  },
  {
    title: 'Read the conversations, newest first',
    name: 'listConversations',
    curl: `curl "$SITE/api/conversations" -H "Authorization: Bearer $TOKEN"`,
  },
  {
    title: 'Write to a seller',
    name: 'sendMessage',
    curl: `curl "$SITE/api/messages" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"adId": "'$THEIR_AD'", "receiverId": "'$SELLER'", "content": "Is it still there?"}'`,
  },
  {
    title: 'Accept an offer',
    name: 'acceptOffer',
    curl: `curl -X POST "$SITE/api/offers/$OFFER/accept" -H "Authorization: Bearer $TOKEN"`,
  },
  {
    title: 'Save a search, and be told of new ads',
    name: 'createSavedSearch',
    curl: `curl "$SITE/api/saved-searches" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"name": "Kettles", "frequency": "daily", "filters": {"search": "kettle"}}'`,
  },
];

/** Twenty lines that post an ad with a photo. The test runs them with Node. */
export const SCRIPT = `// SITE=https://… TOKEN=tp_pat_… node post-ad.mjs photo.jpg
import { readFile } from 'node:fs/promises';

const { SITE, TOKEN } = process.env;

async function call(path, body, type = 'application/json') {
  const headers = { Authorization: \`Bearer \${TOKEN}\`, 'Content-Type': type };
  const reply = await fetch(SITE + path, { method: 'POST', headers, body });
  const json = await reply.json();
  if (!reply.ok) throw new Error(\`\${json.code}: \${json.message}\`);
  return json;
}

const photo = await call('/api/photos', await readFile(process.argv[2]), 'image/jpeg');
const ad = await call('/api/ads', JSON.stringify({
  title: 'Blue kettle', description: 'Boils water, too.', price: '18.50',
  category: 'appliances', imageUrls: [photo.url],
}));
console.log(\`\${SITE}/ads/\${ad.id}\`);
`;
