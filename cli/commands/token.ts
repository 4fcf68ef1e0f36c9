import type { Command } from 'commander';
import { NewAccessToken } from '../../contract/access-tokens.ts';
import { LIMITS } from '../../contract/limits.ts';
import { SCOPE_NAMES } from '../../contract/scopes.ts';
import { createTokenFor, revokeToken, revokeTokensOf } from '../../server/features/access/tokens.ts';
import { listTokens, type TokenListRow } from '../../server/features/auth/token-repository.ts';
import type { Cli } from '../framework/cli.ts';
import {
  addCommand,
  addPageOptions,
  getUser,
  type MutationOptions,
  type PageOptions,
  parseWhole,
  printPages,
} from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import { usageError } from '../framework/errors.ts';
import type { Fields } from '../framework/output.ts';

const FIELDS: Fields<TokenListRow> = {
  id: 'id',
  userId: 'user_id',
  username: 'username',
  name: 'name',
  scopes: ({ scopes }) => scopes.join(','),
  lastFour: 'last_four',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  lastUsedAt: 'last_used_at',
};

interface CreateOptions extends MutationOptions {
  name: string;
  scopes: string;
  days: number;
}

const parseToken = ({ name, scopes, days }: CreateOptions): NewAccessToken => {
  const parsed = NewAccessToken.safeParse({ name, days, scopes: scopes.split(',').map((scope) => scope.trim()) });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw usageError(`--${String(issue?.path[0])}: ${issue?.message}`, `The scopes are ${SCOPE_NAMES.join(', ')}.`);
};

const addCreate = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'create <user>', {
    summary: 'Makes an access token of a person, and prints it once',
    description:
      'A program sends it in the header "Authorization: Bearer …" and acts for the person within the scopes. The person hears of it by mail and notification.',
    examples: [
      ['token create @handle --name Backup --scopes ads:read,messages:read', `for ${LIMITS.tokenDays} days`],
      ['token create @handle --name Shop --scopes ads:read,ads:write --days 365 >token.txt', 'for a year'],
    ],
    changes: 'at once',
  })
    .requiredOption('--name <text>', 'what it is for, to tell tokens apart')
    .requiredOption('--scopes <a,b>', 'what it may do; docs/API.md lists the scopes')
    .option('--days <n>', 'how long it works', parseWhole(1, LIMITS.tokenDaysMax), LIMITS.tokenDays)
    .action(async (who: string, options: CreateOptions) => {
      const input = parseToken(options);
      const { dryRun, reason } = options;
      const made = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
        const { id } = await getUser(ctx.db, who);
        return createTokenFor(ctx, actor, id, input, { reason });
      });
      if (!dryRun) {
        cli.say(`This is the only time that the token is shown. It works until ${made.expires_at}.`);
        if (cli.isTable()) return cli.out.raw(`${made.token}\n`);
      }
      const fields = { id: 'id', userId: 'user_id', name: 'name', expiresAt: 'expires_at', token: 'token' } as const;
      // that of a dry run never works
      await cli.out.record({ fields }, dryRun ? { ...made, token: null } : made);
    });
};

const addList = (noun: Command, cli: Cli): void => {
  const list = addCommand(noun, 'list', {
    summary: 'Lists access tokens, newest first; the tokens themselves are not known to anybody',
    examples: [
      ['token list', 'of everybody'],
      ['token list --user @handle', 'of one person'],
    ],
  });
  const table = ['id', 'username', 'name', 'scopes', 'expiresAt', 'lastUsedAt'];
  addPageOptions(list)
    .option('--user <id|@handle>', 'of this user')
    .action((options: PageOptions & { user?: string }) =>
      withContext(cli, async ({ ctx }) => {
        const userId = options.user && (await getUser(ctx.db, options.user)).id;
        await printPages(cli, { fields: FIELDS, table }, options, (page) => listTokens(ctx.db, { userId, ...page }));
      }),
    );
};

const addRevoke = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'revoke [id]', {
    summary: 'Revokes an access token, or all of a person',
    examples: [
      ['token revoke 17 --reason "found in a public repository"', 'one'],
      ['token revoke --user @handle', 'all of a person'],
    ],
    changes: 'at once',
  })
    .option('--user <id|@handle>', 'all of this user')
    .action(async (id: string | undefined, { user, dryRun, reason }: MutationOptions & { user?: string }) => {
      if ((id === undefined) === (user === undefined)) throw usageError('Give either an id or --user.');
      if (id !== undefined && !/^[1-9]\d{0,17}$/.test(id)) throw usageError('An id is a number: see token list.');
      const revoked = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
        if (user !== undefined) return revokeTokensOf(ctx, actor, (await getUser(ctx.db, user)).id, { reason });
        await revokeToken(ctx, actor, id!, { reason });
        return 1;
      });
      await cli.out.record({ fields: ['revoked'] }, { revoked });
    });
};

export function register(noun: Command, cli: Cli): void {
  addCreate(noun, cli);
  addList(noun, cli);
  addRevoke(noun, cli);
}
