import type { CDPSession, Page } from '@playwright/test';

/** A device with a fingerprint reader, in Chromium. */
export interface Device {
  /** Whether the next question finds the right finger. */
  setVerified(isUserVerified: boolean): Promise<void>;
  countPasskeys(): Promise<number>;
  /** It falls into a river, with its passkeys. */
  lose(): Promise<void>;
}

/** Gives the browser of this page such a device. */
export const openDevice = async (page: Page): Promise<Device> => {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setVerified: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    countPasskeys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    lose: async () => {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
};
