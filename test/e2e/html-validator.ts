import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { takeFromPackage } from '../harness/npm-package.ts';

const CACHE = join(import.meta.dirname, '../../.cache/html-validator');
const JAR = join(CACHE, 'vnu.jar');
// The Nu HTML Checker, the W3C's validator. It is large and needs Java, so it is downloaded on demand.
const PACKAGE = {
  spec: 'vnu-jar@26.9.27',
  integrity: 'sha512-TkQd5DFfOaWC9ebtvozTsrH2Vaod3jYg+vrOeREzIXxBexLz9+rS2DNtjn7+RPUiZhgli0SghgBX6RJRNea0KA==',
  cache: CACHE,
};

/** Downloads the validator unless it is in .cache. Returns the reason if that fails or there is no Java. */
export const findMissingValidator = (): string | undefined => {
  if (spawnSync('java', ['-version']).status !== 0) return 'no Java for the HTML validator';
  if (existsSync(JAR)) return undefined;
  try {
    takeFromPackage(PACKAGE, (folder) => renameSync(join(folder, 'build/dist/vnu.jar'), JAR));
    return undefined;
  } catch (error) {
    return `the HTML validator could not be downloaded: ${(error as Error).message.split('\n')[0]}`;
  }
};

interface Message {
  type: 'error' | 'info' | 'non-document-error';
  subType?: 'warning' | 'fatal';
  url?: string;
  message: string;
  extract?: string;
}

/** Findings that we accept, and why. */
const ACCEPTED: { finding: RegExp; reason: string }[] = [
  {
    finding: /“combobox” for attribute “role” on element “input”|“aria-expanded” not allowed on element “input”/,
    reason: 'Only a field of the type "search" has a button to clear it. Browsers announce it as a combobox.',
  },
  {
    finding:
      /^The “(table|rowgroup|row|columnheader|cell)” role is unnecessary|“role” attribute must not be used on a “t[rhd]”/,
    reason: 'On a phone, rows are displayed as cards. Without roles, browsers then do not announce a table.',
  },
  {
    finding: /^The “aria-hidden” attribute must not be specified on the “noscript” element/,
    reason: 'Radix hides everything that is not in the open dialog.',
  },
  {
    finding: /^The “type” attribute for the “style” element is not needed/,
    reason: 'react-remove-scroll adds it while a dialog is open.',
  },
  {
    finding: /^CSS: /,
    reason: 'Pages that begin with a photo contain their styles, and the validator does not know the CSS of today.',
  },
];

/**
 * Validates HTML documents by name, all at once, because starting the validator takes seconds. Returns each error and
 * warning that we do not accept once, with the first document that has it.
 */
export const findHtmlErrors = (documents: Map<string, string>): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-html-'));
  try {
    for (const [name, html] of documents) writeFileSync(join(folder, `${name}.html`), html);
    const args = ['-jar', JAR, '--stdout', '--exit-zero-always', '--format', 'json', folder];
    const { status, stdout, stderr } = spawnSync('java', args, { encoding: 'utf8', maxBuffer: 256 << 20 });
    if (status !== 0) throw new Error(`The HTML validator failed: ${stderr}`);
    const { messages }: { messages: Message[] } = JSON.parse(stdout);
    const found = new Map<string, string>();
    for (const { type, subType, message, url = '', extract = '' } of messages) {
      // The rest is advice, such as about slashes in empty elements.
      if (type === 'info' && subType !== 'warning') continue;
      if (ACCEPTED.some(({ finding }) => finding.test(message))) continue;
      if (!found.has(message)) found.set(message, `${basename(url)}: ${message} ${extract.replace(/\s+/g, ' ')}`);
    }
    return [...found.values()];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
