import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type BuildEnvironmentOptions, defineConfig } from 'vite';
import { catalogs } from './scripts/catalogs.ts';
import {
  initialStateFromServer,
  inlineLimits,
  precompress,
  productionRouter,
  serviceWorkerInDevelopment,
  trimContract,
} from './scripts/vite-plugins.ts';

const server = process.env.API_URL ?? 'http://localhost:8080';

/**
 * What pages share and the home page or the frame of every page needs, as patterns. What only other pages share is another chunk:
 * each module here is in the first load of scripts, which has a limit (scripts/bundle-budget.ts).
 */
const COMMON = [
  /node_modules[\\/]lucide-react[\\/](?!.*icons[\\/])/,
  /icons[\\/](arrow-left|badge-check|camera|chevron-down|circle-exclamation-point|heart|loader-circle|log-in|map-pin|message-circle|plus|rotate-cw|search|star|x)\.mjs/,
  /contract[\\/](?!admin|attributes|blocks|conversations|csv|deals|email|follows|imports|message-photos|notifications|offers|page-texts|passkeys|push|ratings|reports|saved-searches|users|x-posting)[\w.-]+$/,
  /src[\\/]lib[\\/](?!draft|overlay|save-file)/,
  /src[\\/]hooks[\\/]use-(focus|hydrated)/,
  /src[\\/]api[\\/](?!form-schema|uncached-query|versioned|use-(action|(api-)?form))/,
  /src[\\/]features[\\/](?!blocks|deals|follows|imports|messages[\\/]message-ad|notification|offers|photos|reports|saved-searches|static-pages|x-posting|ads[\\/](form|filters[\\/]describe))/,
  /src[\\/]ui[\\/](?!choice-field|data-table|dialog-form-footer|draft-notice|figure|list-section|load-more|local-date|menu\.|overlays|price-input|tabs|term-list|toast[\\/]toaster|use-character|version-conflict)/,
].map(({ source }) => source);

const browserBuild: BuildEnvironmentOptions = {
  outDir: 'dist',
  emptyOutDir: true,
  manifest: true,
  // Writes the licenses of bundled packages to dist/.vite/license.md, for the image.
  license: true,
  // The supported browsers of README.md: two years of Chromium and Safari, and Firefox ESR.
  target: ['chrome131', 'edge131', 'firefox140', 'safari18', 'ios18'],
  // An inlined asset is a data: URL, which the content security policy refuses for scripts and styles.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  rolldownOptions: {
    input: {
      index: fileURLToPath(new URL('index.html', import.meta.url)),
      'service-worker': fileURLToPath(new URL('service-worker/service-worker.ts', import.meta.url)),
    },
    output: {
      // Browsers look for a new service worker at its old address.
      entryFileNames: ({ name }) => (name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js'),
      chunkFileNames: 'assets/[name]-[hash].js',
      codeSplitting: {
        groups: [
          // A deployment then invalidates our own small chunks and not the libraries.
          { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
          {
            name: 'router-swr',
            test: /node_modules[\\/](react-router|react-router-dom|swr|use-sync-external-store|cookie|set-cookie-parser|dequal)[\\/]/,
            priority: 1,
          },
          // What forms load when they are shown (trimContract).
          { name: 'form-bodies', test: /\?bodies$|virtual:form-bodies|node_modules[\\/]zod/, priority: 1 },
          // Before form-bodies, which imports it: the page and its forms have one currency and one language.
          { name: 'i18n', test: /contract[\\/](english|i18n|languages|money)\.ts$/, priority: 2 },
          // Code that most pages share is one chunk. Code of dialogs, tables and single pages stays out of the first load.
          {
            name: 'common',
            test: new RegExp(COMMON.join('|')),
            minShareCount: 4,
          },
          // The drawer and the menus share this code with the navbar. Chunks of its own would be tiny.
          {
            name: 'shell',
            test: /contract[\\/]search\.ts|src[\\/](features[\\/]unread|app[\\/]layout[\\/](bottom-bar|navbar|search-form)|lib[\\/]theme)|icons[\\/](bell|circle-user-round|house|menu|moon|sun)\.mjs/,
          },
          // Icons that many pages share, and neither the home page nor the frame of every page shows.
          { name: 'icons', test: /icons[\\/][\w-]+\.mjs$/, minShareCount: 4 },
          // Those that choose photos of ads and of messages.
          {
            name: 'photos',
            test: /contract[\\/]message-photos|src[\\/]features[\\/](photos[\\/](photo-input|use-photos)|ads[\\/]form[\\/]photo-rules)/,
          },
          // What deals, their ratings and conversations say to the API.
          { name: 'deals', test: /contract[\\/](conversations|deals|ratings)/ },
          // Each of these is needed as a whole. As chunks of their own, the parts would be tiny.
          { name: 'versions', test: /src[\\/](api[\\/]versioned|ui[\\/]version-conflict)/ },
          { name: 'draft', test: /src[\\/]lib[\\/]draft/ },
          { name: 'fields', test: /src[\\/](ui[\\/]price-input|features[\\/]places[\\/]place-field)/ },
          { name: 'form', test: /src[\\/](api[\\/](form-schema|use-(api-)?form)|ui[\\/]draft-notice)/ },
          {
            name: 'ad-form',
            test: /src[\\/]features[\\/](ads[\\/]form[\\/](ad-form|ad-values|photo-rules|use-ad|use-submit)|photos[\\/](photo-field|use-photos))/,
          },
          // The sheet of filters shares these fields with the home page.
          {
            name: 'home',
            test: /src[\\/](pages[\\/]home|features[\\/]ads[\\/]filters[\\/](basic-fields|filter-panel))/,
          },
        ],
      },
    },
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    react(),
    tailwindcss(),
    productionRouter,
    catalogs(),
    inlineLimits(),
    trimContract(),
    initialStateFromServer(server),
    serviceWorkerInDevelopment,
    precompress(),
  ],
  // Keeps the Host header: the server accepts only its public name.
  server: {
    proxy: Object.fromEntries(['/api', '/media'].map((path) => [path, { target: server, changeOrigin: false }])),
  },
  // One `vite build` builds both: the browser's files, and the pages for server rendering.
  builder: {},
  environments: {
    client: { build: browserBuild },
    ssr: {
      // Bundles all dependencies, because the server does not have React installed. (With Node's default conditions,
      // some packages would resolve to CommonJS, which cannot be tree-shaken.)
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
