/**
 * The X simulator as a separate process: `node local/x-simulator/main.ts`. Reads X_SANDBOX_PORT (default 8081),
 * X_CLIENT_ID, X_CLIENT_SECRET, PUBLIC_URL and X_SANDBOX_STATE (a file).
 */
import { startXSimulator } from './server.ts';

const { env } = process;
const app = env.PUBLIC_URL ?? 'http://localhost:8080';
const sandbox = await startXSimulator({
  port: Number(env.X_SANDBOX_PORT ?? 8081),
  clientId: env.X_CLIENT_ID ?? 'sandbox-client',
  clientSecret: env.X_CLIENT_SECRET ?? 'sandbox-secret',
  redirectUris: [new URL('/api/auth/twitter/callback', app).href],
  ...(env.X_SANDBOX_STATE && { stateFile: env.X_SANDBOX_STATE }),
});
console.log(`X sandbox on ${sandbox.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
