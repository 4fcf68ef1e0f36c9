import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../test/render-at.tsx';
import { PrivacyPage } from './privacy.tsx';

test('tells of everything that is kept for how long, also of what is written down beside the data', () => {
  renderAt({ routes: [{ path: '/', element: <PrivacyPage /> }] });
  const section = screen.getByRole('region', { name: /For how long/ });
  const lines = within(section).getAllByRole('listitem');
  const kept = [
    'account',
    'messages',
    'session',
    'visits',
    'contact',
    'log of requests',
    'backups',
    'administrators',
    'follow',
    'prices',
    'e-mail address',
    'saved searches',
    'push notifications',
  ];
  for (const name of kept) expect(lines.some(({ textContent }) => textContent.includes(name))).toBe(true);
});

test('credits GeoNames and its license for the places', () => {
  renderAt({ routes: [{ path: '/', element: <PrivacyPage /> }] });
  const section = within(screen.getByRole('region', { name: /Places/ }));
  expect(section.getByRole('link', { name: 'GeoNames' }).getAttribute('href')).toBe('https://www.geonames.org/');
  const license = section.getByRole('link', { name: 'CC BY 4.0' });
  expect(license.getAttribute('href')).toBe('https://creativecommons.org/licenses/by/4.0/');
});
