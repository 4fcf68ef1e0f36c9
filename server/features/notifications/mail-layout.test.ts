import { describe, expect, test } from 'vitest';
import { DEFAULT_BRAND } from '../../../contract/default-brand.ts';
import { speaking } from '../../../contract/i18n.ts';
import { derivePalette } from '../../../contract/palette.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { renderMail } from './mail-layout.ts';

const SITE = {
  config: { siteName: 'Kettles & Co', publicUrl: 'https://kettles.example' },
  palette: derivePalette(DEFAULT_BRAND.accent),
  logo: null,
};
const render = (part: Partial<Parameters<typeof renderMail>[1]> = {}) =>
  renderMail(SITE, {
    title: 'A title',
    body: 'A text.',
    actions: [{ label: 'Open', url: 'https://kettles.example/ads/5' }],
    reason: 'You follow this seller.',
    answer: { label: 'Answer here', url: 'https://kettles.example/messages/5/7' },
    links: [{ label: 'Notification Settings', url: 'https://kettles.example/dashboard' }],
    ...part,
  });

describe('a mail', () => {
  test('says the same as text and as HTML', () => {
    const { html, text } = render({ title: 'Price dropped', body: 'First line\nsecond line\n\n\nNext paragraph' });
    for (const part of [html, text])
      for (const words of [
        'Price dropped',
        'First line',
        'second line',
        'Next paragraph',
        'https://kettles.example/ads/5',
        'You follow this seller.',
        'Replies to this mail reach nobody.',
        'https://kettles.example/messages/5/7',
        'https://kettles.example/dashboard',
      ])
        expect(part).toContain(words);
    expect(text).toContain('First line\nsecond line\n');
    expect(text.split('\n')[0]).toBe('Price dropped');
    expect(text).toContain('\nOpen\nhttps://kettles.example/ads/5\n');
    expect(text).toContain('\n-- \nKettles & Co, https://kettles.example\n');
  });

  test('shows what people wrote and runs none of it', () => {
    const evil = `"><img src=x onerror=alert(1)><style>*{}</style>&lt;'`;
    const { html } = render({
      title: evil,
      body: evil,
      reason: evil,
      actions: [{ label: evil, url: `https://a.example/${evil}` }],
    });
    expect(html).not.toContain('<img');
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(html).toContain('&amp;lt;&#39;');
  });

  test('says its language and is laid out as that is read', () => {
    const [english, arabic] = (['en', 'ar'] as const).map((language) => speaking(readTexts(language), () => render()));
    expect(english!.html).toContain('<html lang="en" dir="ltr">');
    expect(english!.html).toContain('text-align:left');
    expect(arabic!.html).toContain('<html lang="ar" dir="rtl">');
    expect(arabic!.html).toContain('text-align:right');
    expect(arabic!.html).not.toContain('text-align:left');
    expect(arabic!.text).toContain('لا يقرأ أحد الردود على هذه الرسالة.');
  });

  test('without a text has no empty paragraph', () => {
    const { html, text } = render({ body: ' \n ' });
    expect(html).not.toContain('<p ');
    expect(text).not.toContain('\n\n\n');
  });

  test('breaks lines between words and never in an address', () => {
    const { text } = render({ body: `${'word '.repeat(40)}https://kettles.example/${'x'.repeat(120)} end` });
    for (const line of text.split('\n')) if (!line.includes('://')) expect(line.length).toBeLessThanOrEqual(76);
    expect(text).toContain(`\nhttps://kettles.example/${'x'.repeat(120)}\n`);
  });
});
