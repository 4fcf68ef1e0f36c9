import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * For development, where Vite serves the pages: fetches the initial state (settings, session, first lists) from the
 * same path of the API server and inserts it into the HTML. If no server runs, the page uses defaults.
 */
export const initialStateFromServer = (server: string): Plugin => ({
  name: 'initial-state-from-server',
  apply: 'serve',
  async transformIndexHtml(html, { originalUrl = '/' }) {
    const page = await fetch(new URL(originalUrl, server)).then(
      (response) => response.text(),
      () => '',
    );
    const state = /<script[^>]*\bid="?boot"?[^>]*>[\s\S]*?<\/script>/.exec(page)?.[0] ?? '';
    return html.replace('<!--boot-->', () => state);
  },
});

/** For development: serves the service worker at the address of the build. */
export const serviceWorkerInDevelopment: Plugin = {
  name: 'service-worker-in-development',
  apply: 'serve',
  configureServer({ middlewares }) {
    middlewares.use((req, _res, next) => {
      if (req.url === '/service-worker.js') req.url = '/service-worker/service-worker.ts';
      next();
    });
  },
};

const COMPRESSIBLE = /\.(js|css|svg|webmanifest|json|html|txt)$/;
/** Smaller files, in bytes, are not worth compressing. */
const MIN_SIZE = 1000;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const compressFile = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  if (bytes.length < MIN_SIZE) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([brotli(bytes, { params }), zip(bytes, { level: 9 })]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
};

/** Writes a .br and a .gz file for each text file of the build, so that the server never compresses them. */
export const precompress = (): Plugin => {
  let outDir = '';
  return {
    name: 'precompress',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved: (config) => {
      outDir = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const files = await readdir(outDir, { recursive: true });
      await Promise.all(
        files.filter((file) => COMPRESSIBLE.test(file)).map((file) => compressFile(join(outDir, file))),
      );
    },
  };
};
