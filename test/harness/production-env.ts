export const PRODUCTION_ENV = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://market.example',
  DATABASE_URL: 'postgres://localhost/none',
  SESSION_KEYS: 'k'.repeat(40),
  X_CLIENT_ID: 'id',
  X_CLIENT_SECRET: 'secret',
};
