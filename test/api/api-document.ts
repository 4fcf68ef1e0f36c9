import type { EndpointSpec } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/index.ts';
import { LIMITS, RATE_LIMITS } from '../../contract/limits.ts';
import { SCOPES } from '../../contract/scope-words.ts';
import { CALLS, SCRIPT } from './calls.ts';

const CALLERS: Record<EndpointSpec['access'], string> = {
  public: 'everyone',
  user: 'people',
  moderator: 'moderators, administrators',
  admin: 'administrators',
};

const TOKENS = { public: 'any, or none', session: '—' };

const describeToken = ({ scope, access, oneClick }: EndpointSpec): string => {
  if (oneClick) return '—';
  if (scope === 'public' || scope === 'session') return TOKENS[scope];
  return access === 'public' ? `\`${scope}\`, or none` : `\`${scope}\``;
};

/** "savedSearches" as "Saved searches" */
const toHeading = (area: string): string => {
  const words = area.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const describeCall = ({ name, spec }: { name: string; spec: EndpointSpec }): string => {
  const path = spec.path.replace(/:(\w+)/g, '{$1}');
  const summary = spec.summary.replaceAll('|', '\\|');
  return `| \`${spec.method} ${path}\` | ${summary} | ${describeToken(spec)} | ${CALLERS[spec.access]} | \`${name}\` |`;
};

const listAreas = (): string =>
  [...Map.groupBy(endpoints, ({ area }) => area)]
    .map(
      ([area, list]) =>
        `### ${toHeading(area)}\n\n| call | does | token | who | name |\n| --- | --- | --- | --- | --- |\n${list.map(describeCall).join('\n')}\n`,
    )
    .join('\n');

const toLimit = (name: 'read' | 'search' | 'write' | 'createAd' | 'message'): string => {
  const { points, seconds } = RATE_LIMITS[name];
  return `${points} in ${seconds === 60 ? 'a minute' : seconds === 3600 ? 'an hour' : `${seconds} seconds`}`;
};

/** docs/API.md, from the endpoints of the contract. */
export const toApiMarkdown = (): string => `# The API

Written by test/api/api.http.test.ts from the endpoints of contract/ and from test/api/calls.ts; it also runs every command below.
\`/api/openapi.json\` of a running marketplace describes every field, for tools that read OpenAPI 3.1. The browser uses the same API.

## Access tokens

A program sends \`Authorization: Bearer tp_pat_…\`. A token is made in Preferences → "Access tokens", or by the operator
(\`marketctl token create @handle --name Shop --scopes ads:read,ads:write\`). It acts for its person, as far as its scopes go, for 1 to
${LIMITS.tokenDaysMax} days; a person has at most ${LIMITS.accessTokens}. It is shown once. It ends when it is revoked, and with a ban, with the deletion of
the account, and when the account is recovered or secured by the operator; during a suspension it does nothing. Another password, and
passkeys that come and go, end sessions and leave tokens: programs go on, and Preferences lists them.

| scope | lets a program |
| --- | --- |
${Object.entries(SCOPES)
  .map(([scope, meaning]) => `| \`${scope}\` | ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)} |`)
  .join('\n')}

Nobody but staff can have the \`admin\` scopes. They end when the person is no longer staff. With any other scope,
staff are people like all others. No token makes tokens, passkeys or sessions, deletes an account, bans, or changes roles or settings.

A request with a token counts no cookies, needs no \`Origin\`, and reads what it wrote a moment ago. It is never answered from a cache.
No program agrees to posts on X for its person: \`postToX\` of an ad counts once they did.

## Errors, pages, repetitions, limits

- An error is JSON with \`code\`, \`message\` for people, \`params\` with what the message names (days and times in ISO 8601, waits in seconds),
  \`fields\` where fields are at fault, and \`requestId\`. \`message\` and \`fields\` are in the language of \`Accept-Language\`, if the site speaks it, else in
  English: compare \`code\`, never words. 401 \`invalid_token\`: the token is
  misspelled, revoked or expired. 403 \`insufficient_scope\`: \`WWW-Authenticate\` names the scope that is missing.
- A list that has more sends \`Link: <…>; rel="next"\`. Follow that address.
- \`Idempotency-Key\`: a repeated request with the same key and body gets the first reply and changes nothing, for a day.
- 429 \`rate_limited\` says in \`Retry-After\` how many seconds to wait. All programs of a person share their limits: ${toLimit('read')} for reads, ${toLimit('search')} for searches, ${toLimit('write')} for writes, ${toLimit('createAd')} for new ads, ${toLimit('message')} for messages.
- Amounts are texts ("1234.50"), ids are texts, times are ISO 8601 in UTC.

## Ten calls

\`SITE\` is the address of the marketplace, \`TOKEN\` the token.

${CALLS.map(({ title, curl }) => `${title}:\n\n\`\`\`sh\n${curl}\n\`\`\`\n`).join('\n')}
## A script

It posts an ad with a photo, and needs nothing but Node.

\`\`\`js
${SCRIPT}\`\`\`

## All calls

"token" is the scope that a token needs; "—": no token will do, only the session of a browser, or none. "who" is
who may call it at all; [AUTHORIZATION.md](AUTHORIZATION.md) says who gets what.

${listAreas()}`;
