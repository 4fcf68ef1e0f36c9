import type { InitialState, SiteConfig } from '../../../contract/boot.ts';
import type { Me } from '../../../contract/user.ts';
import type { Config } from '../../config/load.ts';
import { link, renderHead } from './head.ts';
import { embedJson, escapeHtml } from './html.ts';
import type { PageData } from './page-data.ts';
import type { Template } from './template.ts';

export interface RenderInput {
  model: PageData;
  boot: InitialState;
  /** What stands in #root until the browser takes over; may be empty. */
  content: string;
  nonce: string;
}

export const toInitialState = (
  env: SiteConfig,
  me: Me | null,
  replies: PageData['data'],
  missing?: string,
): InitialState => ({
  env,
  me,
  data: Object.fromEntries(replies.filter((reply) => reply !== undefined).map(({ url, cached }) => [url, cached])),
  ...(missing && { missing: [missing] }),
});

// In the pages' own styles. Who cannot run scripts can still read the market, and write by mail.
const tellWithoutScripts = (supportEmail: string): string =>
  `<noscript><p class="container-page py-16">This page needs JavaScript. <a class="text-primary underline" href="/">The ads</a> can be read without it; you reach us at ${escapeHtml(supportEmail)}.</p></noscript>`;

/**
 * Where the content is sent along, its code waits in #late until the page has been painted (the last script of index.html
 * sees to that); an empty page asks for it first of all.
 */
export function renderPage(template: Template, config: Config, { model, boot, content, nonce }: RenderInput): string {
  const { scripts, styles } = template.assetsOf(model.page);
  const preloads = scripts.map((href) => link('modulepreload', { crossorigin: 'anonymous', href }));
  const code = template.scripts + preloads.join('');
  return [
    template.beforeHead,
    renderHead(model.head, config, { scripts: content ? '' : code, styles, nonce }),
    template.betweenHeadAndContent,
    content,
    template.betweenContentAndBoot,
    `<script type="application/json" id="boot">${embedJson(boot)}</script>`,
    content ? `<template id="late">${code}</template>` : tellWithoutScripts(boot.env.supportEmail),
    template.afterBoot,
  ].join('');
}
