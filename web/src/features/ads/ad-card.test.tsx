import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Ad } from '../../../../contract/ads.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleAd } from '../../test/samples.ts';
import { AdCard } from './ad-card.tsx';
import { Summary } from './detail/ad-detail.tsx';

const Page = ({ ad }: { ad: Ad }) => <Summary ad={ad} isOwner={false} />;
const open = (fields: Partial<Ad>, Element: typeof AdCard | typeof Page) =>
  renderAt({ routes: [{ path: '/', element: <Element ad={sampleAd({ price: '80.00', ...fields })} /> }] });

test.each([
  ['card', AdCard],
  ['page', Page],
])('the %s of an ad whose price dropped shows the old price struck through, and reads it as such', (_, Element) => {
  open({ oldPrice: '100.00' }, Element);
  expect(screen.getByText('Price dropped')).toBeDefined();
  expect(screen.getByText('$100').tagName).toBe('S');
  expect(screen.getByText('$80').textContent).toBe('$80 was $100');
});

test.each([
  ['card', AdCard],
  ['page', Page],
])('the %s of another ad shows one price', (_, Element) => {
  open({}, Element);
  expect(screen.queryByText('Price dropped')).toBeNull();
  expect(screen.getByText('$80').textContent).toBe('$80');
});
