export interface LookInput {
  /** A PNG that `processLogo` made; without one, the built-in mark in this colour. */
  logo: Uint8Array | null;
  color: string;
}

/** The files that show a brand, by their address. */
export type Look = Record<(typeof LOOK_FILES)[number], Uint8Array>;
export const LOOK_FILES = [
  'logo.png',
  'favicon.ico',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
  'apple-touch-icon.png',
  'og-default.jpg',
] as const;
