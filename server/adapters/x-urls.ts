/** What the X adapter needs of the configuration. */
export interface XSettings {
  mode: 'live' | 'sandbox';
  /** Origin of the X sandbox; only in mode sandbox. */
  sandboxUrl?: string | null;
  clientId: string;
  clientSecret: string;
  /** For one call in all; default 10 s. */
  timeoutMs?: number;
}

/** Every address of X that we speak to or send people to. */
export interface XUrls {
  /** Where people look at posts and profiles. */
  web: string;
  authorize: string;
  token: string;
  revoke: string;
  api: string;
}

/**
 * X's addresses, derived from the mode and never taken from free-form settings: live means exactly x.com and
 * api.x.com. (twitter.com would not share the browser's session with x.com, so people might link another account.)
 */
export const xUrls = (settings: Pick<XSettings, 'mode' | 'sandboxUrl'>): XUrls => {
  if (settings.mode === 'live') return urlsBelow('https://x.com', 'https://api.x.com');
  if (!settings.sandboxUrl) throw new Error('X_MODE=sandbox needs X_SANDBOX_URL');
  const origin = new URL(settings.sandboxUrl).origin;
  return urlsBelow(origin, origin);
};

const urlsBelow = (web: string, api: string): XUrls => ({
  web,
  authorize: `${web}/i/oauth2/authorize`,
  token: `${api}/2/oauth2/token`,
  revoke: `${api}/2/oauth2/revoke`,
  api: `${api}/2`,
});
