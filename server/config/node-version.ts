import { readFileSync } from 'node:fs';

const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The oldest Node.js on which the release was tested: that of the package `node`, and of the image's base. */
export const TESTED_NODE: string = devDependencies.node.replace(/^\D*/, '');

/** Whether a version such as 26.10.0 precedes another. */
export const isOlder = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) < 0;
