import { startOwnMarketplace } from '../harness/own-marketplace.ts';

/**
 * Starts the marketplace that the journeys share. Publishes its URLs as E2E_ADDRESS (the server's own: E2E_SERVER),
 * E2E_X_SANDBOX and E2E_MAILBOX, and the environment of its server as E2E_SERVER_ENV.
 */
export default async function startForJourneys(): Promise<() => Promise<void>> {
  const marketplace = await startOwnMarketplace({
    // Who asks for no language reads English. The pseudo-languages are computed from it.
    settings: { LOCALES: 'en,de,ar,en-XA,ar-XB', SEARCH_LANGUAGES: 'en' },
    say: (message) => console.error(message),
  });
  process.env.E2E_ADDRESS = marketplace.address;
  process.env.E2E_SERVER = marketplace.serverUrl;
  process.env.E2E_X_SANDBOX = marketplace.sandboxUrl;
  process.env.E2E_MAILBOX = marketplace.mailboxUrl;
  process.env.E2E_DATABASE_URL = marketplace.databaseUrl;
  process.env.E2E_SERVER_ENV = JSON.stringify(marketplace.env);
  return marketplace.remove;
}
