import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Ad } from '../../../../../contract/ads.ts';
import { renderAt } from '../../../test/render-at.tsx';
import { sampleAd, sampleMe } from '../../../test/samples.ts';
import { PostedAd } from './posted-ad.tsx';

const show = (ad: Ad) => renderAt({ routes: [{ path: '/', element: <PostedAd ad={ad} /> }], boot: { me: sampleMe() } });

test('a new ad is live: one looks at it, shares it or posts another', async () => {
  const ad = sampleAd();
  show(ad);
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'It is live' }));
  expect(screen.getByRole('link', { name: 'View ad' }).getAttribute('href')).toBe(`/ads/${ad.id}`);
  expect(screen.getByRole('link', { name: 'Post another' }).getAttribute('href')).toBe('/create-ad');
  fireEvent.click(screen.getByRole('button', { name: 'Share' }));
  expect(await screen.findByRole('menuitem', { name: 'Copy link' })).toBeDefined();
});

test('one that waits for review says so, and cannot be shared yet', () => {
  show(sampleAd({ isActive: false, state: 'pending' }));
  expect(screen.getByRole('heading', { name: 'It waits for review' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
});
