import { endpoints } from '../../contract/index.ts';
import { SCOPE_NAMES } from '../../contract/scopes.ts';

/** Which scope opens which call to a program, as a table of Markdown. Calls of mail programs read no token. */
export function toScopeTable(): string {
  const lines = endpoints
    .filter(({ spec }) => !spec.oneClick)
    .map(({ spec: { method, path, scope } }) => {
      const cells = SCOPE_NAMES.map((name) => (scope === name || scope === 'public' ? '✓' : '403'));
      return `| \`${method} ${path}\` | ${cells.join(' | ')} |`;
    });
  const head = `| Call | ${SCOPE_NAMES.map((name) => `\`${name}\``).join(' | ')} |\n|${' --- |'.repeat(SCOPE_NAMES.length + 1)}`;
  return `${head}\n${lines.join('\n')}`;
}
