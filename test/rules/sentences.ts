import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

// Sentences that the code says itself, and no catalog: whoever reads them reads English in every language.

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['server/features', 'server/http', 'server/integrations', 'server/jobs', 'web/src'];

/** What operators, logs, programs and developers read. */
const FOR_OPERATORS = [
  // what `marketctl` says: of tokens, administrators, backups and messages of the contact form
  'server/features/access/tokens.ts',
  'server/features/auth/service.ts',
  'server/features/backup/',
  'server/features/contact/service.ts',
  // what `marketctl currency` says
  'server/features/currency/service.ts',
  // names of formats in `marketctl`, and what it says of the dump of a site
  'server/features/imports/formats/',
  'server/features/imports/sites/',
  // `marketctl mail preview` and `marketctl notify test`
  'server/features/notifications/mail-samples.ts',
  'server/features/notifications/test-delivery.ts',
  // names of states, as in the data of the places
  'server/features/places/presenter.ts',
  // what X answered, for logs; people read the reason that its code has
  'server/features/x-posts/outbox.ts',
  'server/http/endpoints/',
  'server/http/seo/crawler-files.ts',
  'server/http/server.ts',
  'server/http/session/access-token.ts',
  'web/src/app/layout/dev-panel.tsx',
];

/** What programs read in the database or the API beside a code. People read the text of a catalog instead: `isDeleted`, … */
export const KNOWN: readonly string[] = [
  // `isDeleted` of a person; also the API of earlier releases
  'server/features/account/repository.ts: Deleted user',
  // `isDeleted` of an ad
  'server/features/messages/presenter.ts: Deleted ad',
  // `isWordless` of a message, with its photos
  'server/features/messages/service.ts: Sent 1 photo',
  'server/features/messages/service.ts: Sent … photos',
  // `sayText` tells it to staff
  'server/features/reports/case-repository.ts: Deleted with the account of the writer.',
];

interface Node {
  type: string;
  [child: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** "It was changed.": a word with a capital letter, and others. */
const SENTENCE = /^[“"]?[A-Z][a-z’']*[a-z,.:’]* [^\n]*[a-z]{2}/;
const SQL = /\bselect\b|\bwhere\b|\binsert into\b|\bupdate\b.*\bset\b|\bdelete from\b/i;

const readText = ({ type, value, quasis }: Node): string | undefined => {
  if (type === 'TemplateLiteral')
    return (quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked).join('…');
  return (type === 'Literal' || type === 'JSXText') && typeof value === 'string' ? value.trim() : undefined;
};

const nameOf = (node: unknown): string => {
  const { name, property } = node as { name?: string; property?: { name?: string } };
  return name ?? property?.name ?? '';
};

/** Of `log.warn(…)`, `console.error(…)`, `new Error(…)` and SQL, which nobody reads on a page. */
const isForNobody = ({ type, callee }: Node): boolean => {
  if (type !== 'CallExpression' && type !== 'NewExpression') return false;
  const { object } = callee as { object?: unknown };
  return (
    /^(?:log|console)$/.test(nameOf(object ?? {})) ||
    (callee as Node).type === 'Super' ||
    /^(?:ApiError|Error|TypeError|raw|queryPrepared)$/.test(nameOf(callee))
  );
};

const walk = (node: Node): string[] => {
  if (isForNobody(node)) return [];
  const text = readText(node);
  const below = Object.values(node).flat().filter(isNode).flatMap(walk);
  return text !== undefined && SENTENCE.test(text) && !SQL.test(text) ? [text, ...below] : below;
};

/** The sentences in a source. */
export const findSentences = (source: string, file = 'source.tsx'): string[] =>
  walk(parseSync(file, source).program as unknown as Node);

/** Of all sources that say something to people, behind the name of their file. */
export const listSentences = (): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/test\/|\.d\.ts$/.test(file))
      .filter((file) => !FOR_OPERATORS.some((one) => file.startsWith(one)))
      .flatMap((file) => findSentences(readFileSync(join(ROOT, file), 'utf8'), file).map((text) => `${file}: ${text}`)),
  );
