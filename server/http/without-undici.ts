import { createRequire } from 'node:module';
import type Router from '@koa/router';

/*
 * `import` of node:http, here or in a package, also reads its WebSocket, which loads undici: 50 ms of a start.
 * `require` does not, and who needs undici loads it then.
 */
const require = createRequire(import.meta.url);

export const { createServer } = require('node:http') as typeof import('node:http');

const RequiredRouter = require('@koa/router') as typeof Router;

export const createRouter = (options: ConstructorParameters<typeof Router>[0]): Router => new RequiredRouter(options);
