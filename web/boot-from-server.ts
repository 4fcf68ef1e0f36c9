import type { Plugin } from 'vite';

/**
 * In development Vite serves the page, so the server's boot data (settings, session, first lists) is fetched from the
 * same path of the server and put where the server would have put it. Without a server the page starts on defaults.
 */
export const bootFromServer = (server: string): Plugin => ({
  name: 'boot-from-server',
  apply: 'serve',
  async transformIndexHtml(html, { originalUrl = '/' }) {
    const page = await fetch(new URL(originalUrl, server)).then(
      (reply) => reply.text(),
      () => '',
    );
    const boot = /<script[^>]*\bid="?boot"?[^>]*>[\s\S]*?<\/script>/.exec(page)?.[0] ?? '';
    return html.replace('<!--boot-->', () => boot);
  },
});
