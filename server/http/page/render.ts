import type { Boot, SiteEnv } from '../../../contract/boot.ts';
import type { Me } from '../../../contract/user.ts';
import type { Config } from '../../config.ts';
import { renderHead } from './head.ts';
import { embedJson } from './html.ts';
import type { PageModel } from './model.ts';
import type { Template } from './template.ts';

export interface RenderInput {
  model: PageModel;
  me: Me | null;
  env: SiteEnv;
  /** Replies beyond the page's own, such as what the navbar of a signed-in person needs. */
  extra?: PageModel['data'];
  nonce: string;
}

export function renderPage(template: Template, config: Config, input: RenderInput): string {
  const { model, me, env, extra = [], nonce } = input;
  const replies = [...model.data, ...extra].filter((reply) => reply !== undefined);
  const boot: Boot = { env, me, data: Object.fromEntries(replies.map(({ url, cached }) => [url, cached])) };
  return [
    template.beforeHead,
    renderHead(model.head, config, { ...template.assetsOf(model.page), nonce }),
    template.betweenHeadAndContent,
    template.betweenContentAndBoot,
    `<script type="application/json" id="boot">${embedJson(boot)}</script>`,
    template.afterBoot,
  ].join('');
}
