import { expect, test } from 'vitest';
import { PAGES, type PageSpec } from '../../../contract/pages.ts';
import { robotsTxt } from './crawler-files.ts';

test('robots.txt excludes every private page', () => {
  const rules = robotsTxt({ publicUrl: 'https://market.example' }).matchAll(/^Disallow: (.*)$/gm);
  const excluded = [...rules].map(([, path]) => path!);
  const isPrivate = ({ title, description }: PageSpec) => title !== undefined && description === undefined;
  const paths = Object.values<PageSpec>(PAGES).filter(isPrivate);
  const open = paths
    .map(({ path }) => path.replace(/:\w+/g, '*'))
    .filter((path) => !excluded.some((one) => path.startsWith(one)));
  expect(open).toEqual([]);
});
