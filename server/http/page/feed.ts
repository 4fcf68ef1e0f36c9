import type { Ad } from '../../../contract/ads.ts';
import { formatPrice } from '../../../contract/format-price.ts';
import type { Config } from '../../config.ts';
import { escapeHtml } from './html.ts';

const renderEntry = (ad: Ad, { publicUrl }: Config): string => {
  const url = `${publicUrl}/ads/${ad.id}`;
  const cover = ad.images[0];
  const picture = cover ? `<p><img src="${publicUrl}${cover.thumbUrl}" alt="" /></p>` : '';
  const content = `${picture}<p>${escapeHtml(formatPrice(ad.price))}${ad.location ? ` · ${escapeHtml(ad.location)}` : ''}</p><p>${escapeHtml(ad.description)}</p>`;
  return `  <entry>
    <id>${url}</id>
    <title>${escapeHtml(`${ad.title} – ${formatPrice(ad.price)}`)}</title>
    <link href="${url}" />
    <published>${ad.createdAt}</published>
    <updated>${ad.createdAt}</updated>
    <author><name>${escapeHtml(ad.user.displayName)}</name></author>
    <category term="${escapeHtml(ad.categorySlug)}" label="${escapeHtml(ad.category)}" />
    <content type="html">${escapeHtml(content)}</content>
  </entry>`;
};

/** An Atom feed of a list of ads. `search` is the list's own query. */
export function renderFeed(ads: readonly Ad[], title: string, search: string, config: Config, now: Date): string {
  const { publicUrl, siteName } = config;
  const suffix = search ? `?${search}` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escapeHtml(`${publicUrl}/feed.atom${suffix}`)}</id>
  <title>${escapeHtml(`${title} | ${siteName}`)}</title>
  <link rel="self" type="application/atom+xml" href="${escapeHtml(`${publicUrl}/feed.atom${suffix}`)}" />
  <link rel="alternate" type="text/html" href="${escapeHtml(`${publicUrl}/${suffix}`)}" />
  <updated>${ads[0]?.createdAt ?? now.toISOString()}</updated>
${ads.map((ad) => renderEntry(ad, config)).join('\n')}
</feed>
`;
}
