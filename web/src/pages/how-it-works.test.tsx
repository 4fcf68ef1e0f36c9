import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DEFAULT_SITE_CONFIG } from '../lib/site-config.tsx';
import { CATEGORIES } from '../test/categories.ts';
import { renderAt } from '../test/render-at.tsx';
import { HowItWorksPage } from './how-it-works.tsx';

const open = (maxImages: number, categories: readonly unknown[]) => {
  cleanup();
  renderAt({
    routes: [{ path: '/', element: <HowItWorksPage /> }],
    boot: { env: { ...DEFAULT_SITE_CONFIG, maxImages }, data: { '/api/categories': categories } },
  });
};

test('numbers follow the settings and the categories', () => {
  open(5, CATEGORIES);
  expect(screen.getByText(/^Add up to 5 photos, a title/)).toBeDefined();
  expect(screen.getByText('25 categories, from Electronics to Tickets & Events.')).toBeDefined();
  open(1, CATEGORIES.slice(0, 2));
  expect(screen.getByText(/^Add up to 1 photo, a title/)).toBeDefined();
  expect(screen.getByText('2 categories, from Electronics to Vehicles.')).toBeDefined();
  open(0, CATEGORIES.slice(0, 1));
  expect(screen.getByText(/^Add a title, a few/)).toBeDefined();
  expect(screen.getByText('Everything in Electronics.')).toBeDefined();
});
