import { readFileSync } from 'node:fs';

/** The release's number, from package.json. */
export const readVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

/** What `marketctl version` prints for people. */
export const toVersionLine = (): string => `tradepost ${readVersion()} (node ${process.versions.node})\n`;
