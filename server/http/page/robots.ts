import type { Config } from '../../config.ts';

/** Crawlers stay out of what is one's own; pages, pictures and feeds are theirs. */
export const robotsTxt = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /admin',
    'Disallow: /create-ad',
    'Disallow: /dashboard',
    'Disallow: /messages',
    'Disallow: /ads/*/edit',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
