import { createRequire } from 'node:module';
import type Router from '@koa/router';

// `import` of node:http, here or in a package, reads its WebSocket export, which loads undici and slows the start;
// `require` does not.
const require = createRequire(import.meta.url);

export const { createServer } = require('node:http') as typeof import('node:http');

const RequiredRouter = require('@koa/router') as typeof Router;

export const createRouter = (options: ConstructorParameters<typeof Router>[0]): Router => new RequiredRouter(options);
