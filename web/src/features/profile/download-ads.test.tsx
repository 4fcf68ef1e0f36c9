import { expect, test } from 'vitest';
import { restoreFormula } from '../../../../contract/csv.ts';
import type { OwnAd } from '../../../../contract/own-ads.ts';
import { toCsv } from './download-ads.tsx';

const AD: OwnAd = {
  id: 'https://market.example/ads/1',
  title: '=1+1',
  description: 'Two\nlines, "so"',
  price: '12.50',
  currency: 'EUR',
  priceType: 'fixed',
  category: 'toys',
  location: '',
  placeId: '',
  condition: 'good',
  details: { brand: 'Acme' },
  externalLink: '',
  allowMessages: false,
  state: 'active',
  images: ['https://market.example/a.jpg', 'https://market.example/b.jpg'],
};

test('a table of ads starts no formula and quotes what it must', () => {
  const [head, ...rest] = toCsv([AD]).split('\r\n');
  expect(head).toMatch(/^id,title,description,price,/);
  expect(rest.join('\r\n')).toBe(
    `https://market.example/ads/1,'=1+1,"Two\nlines, ""so""",12.50,EUR,fixed,toys,,,good,"{""brand"":""Acme""}",,false,active,https://market.example/a.jpg https://market.example/b.jpg\r\n`,
  );
  expect(restoreFormula("'=1+1")).toBe('=1+1');
});
