import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type BuildEnvironmentOptions, defineConfig } from 'vite';
import { initialStateFromServer, precompress } from './scripts/vite-plugins.ts';

const server = process.env.API_URL ?? 'http://localhost:8080';

const browserBuild: BuildEnvironmentOptions = {
  outDir: 'dist',
  emptyOutDir: true,
  manifest: true,
  // The licences of what is bundled, for the image: dist/.vite/license.md.
  license: true,
  // The supported browsers of README.md: two years of Chromium and Safari, and Firefox ESR.
  target: ['chrome131', 'edge131', 'firefox140', 'safari18', 'ios18'],
  // An inlined asset is a data: URL, which the content security policy does not let in as script or style.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  rolldownOptions: {
    output: {
      chunkFileNames: 'assets/[name]-[hash].js',
      codeSplitting: {
        groups: [
          // A deploy then invalidates our own few kilobytes, not the libraries.
          { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
          {
            name: 'router-swr',
            test: /node_modules[\\/](react-router|react-router-dom|swr|use-sync-external-store|cookie|set-cookie-parser|dequal)[\\/]/,
            priority: 1,
          },
          // What most pages share comes in one file; what only dialogs and tables need stays out of the first load.
          {
            name: 'common',
            test: /(node_modules[\\/]lucide-react|contract|src[\\/](lib|api(?![\\/]use-api-form)|features|ui[\\/](?!overlays|menu\.|tabs|tooltip|data-table|toast[\\/]toaster)))[\\/.\w-]*/,
            minShareCount: 4,
          },
        ],
      },
    },
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), initialStateFromServer(server), precompress()],
  // The Host header stays: the server answers to its public name only.
  server: {
    proxy: Object.fromEntries(['/api', '/media'].map((path) => [path, { target: server, changeOrigin: false }])),
  },
  // One `vite build` makes both: the browser's files, and the same pages for the server to render their first HTML with.
  builder: {},
  environments: {
    client: { build: browserBuild },
    ssr: {
      // Everything inside: the server has neither React nor the rest installed.
      // (As ES modules: Node's condition names copies in CommonJS, which come in whole.)
      resolve: { noExternal: true, conditions: ['module', 'production'] },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: 'dist/.server',
        copyPublicDir: false,
        target: 'node26',
        minify: true,
        rolldownOptions: { input: fileURLToPath(new URL('src/entry-server.tsx', import.meta.url)) },
      },
    },
  },
});
