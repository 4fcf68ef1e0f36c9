import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import type { InitialState } from '../../../contract/boot.ts';
import type { Logger } from '../../observability/log.ts';

/**
 * The HTML of the page at an address (path and query) as the browser would draw it first from these data; empty where it
 * cannot be had, and the browser then draws the page by itself.
 */
export type RenderContent = (address: string, boot: InitialState) => Promise<string>;

/** What web/src/entry-server.tsx becomes when the pages are built. */
interface BuiltPages {
  renderContent: RenderContent;
}

/**
 * Opens the pages that were built for the server. Their code (React and the SPA: 7 MB of heap) comes in with the first
 * page, so that what renders none never holds it. Whatever goes wrong in there is logged and costs nobody an answer.
 */
export function createPageRenderer(file: string, log: Logger): RenderContent {
  if (!existsSync(file)) return async () => '';
  let pages: Promise<BuiltPages> | undefined;
  return async (address, boot) => {
    try {
      pages ??= import(pathToFileURL(file).href) as Promise<BuiltPages>;
      const { renderContent } = await pages;
      return await renderContent(address, boot);
    } catch (err) {
      log.error({ err, address }, 'page content not rendered');
      return '';
    }
  };
}
