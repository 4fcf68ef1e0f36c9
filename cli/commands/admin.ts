import type { Command } from 'commander';
import { addCommand, addMutationOptions, type MutationOptions } from '../framework/arguments.ts';
import type { Cli } from '../framework/cli.ts';
import { addPasswordOptions, type PasswordOptions, readNewPassword } from '../framework/prompts.ts';
import { withContext, withWritableContext } from '../framework/with-app.ts';

const loadActions = () => import('../../server/features/auth/service.ts');
const loadStore = () => import('../../server/features/auth/repository.ts');

interface CreateOptions extends MutationOptions, PasswordOptions {
  user?: string;
  email?: string;
  existsOk?: boolean;
}

/** With --generate the password is all that stdout gets, but for machine formats. */
const printAccount = async (cli: Cli, account: { id: string; login: string }, generated?: string): Promise<void> => {
  if (generated !== undefined && cli.isTable()) return cli.out.raw(`${generated}\n`);
  const fields = ['id', 'login', ...(generated === undefined ? [] : ['password'])];
  await cli.out.record({ fields }, { ...account, password: generated });
};

const addCreate = (noun: Command, cli: Cli): void => {
  const leaf = addCommand(noun, 'create <username>', {
    summary: 'Makes an administrator who signs in with username and password',
    description: 'Without --user the account has no X handle and no public profile.',
    examples: [
      ['admin create root', 'asks for the password'],
      ['admin create root --password-stdin <secret.txt', 'in a script'],
      ['admin create alice --user @alice_sells --generate', 'an X user, who gets a password too'],
      ['admin create root --password-file /run/secrets/pw --exists-ok', 'at every start of a container'],
    ],
  });
  addPasswordOptions(addMutationOptions(leaf))
    .option('--user <@handle>', 'the X user who becomes an administrator')
    .option('--email <address>', 'for the account without --user')
    .option('--exists-ok', 'leave an administrator of that name as they are')
    .action(async (login: string, options: CreateOptions) => {
      const password = await readNewPassword(cli, options);
      const { user: handle, email, existsOk, reason, dryRun } = options;
      const created = await withWritableContext(cli, dryRun, async ({ ctx, actor }) =>
        (await loadActions()).createAdmin(ctx, actor, { login, password, handle, email, existsOk, reason }),
      );
      cli.say(
        created.isNew
          ? `Administrator ${created.login} was made (id ${created.id}).`
          : `${created.login} exists already.`,
      );
      await printAccount(cli, created, options.generate && created.isNew ? password : undefined);
    });
};

const FIELDS = ['id', 'login', 'username', 'displayName', 'status', 'passwordChangedAt', 'lastSeenAt', 'createdAt'];

const addList = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'list', {
    summary: 'Lists administrators',
    examples: [
      ['admin list', 'all of them'],
      ['admin list -o json', 'for a script'],
    ],
  }).action(() =>
    withContext(cli, async ({ ctx }) => {
      const admins = await (await loadStore()).listAdmins(ctx.db);
      const rows = admins.map((row) => ({
        id: row.id,
        login: row.login,
        username: row.username,
        displayName: row.display_name,
        status: row.banned_at ? 'banned' : row.disabled_at ? 'disabled' : 'active',
        passwordChangedAt: row.changed_at,
        lastSeenAt: row.last_seen_at,
        createdAt: row.created_at,
      }));
      await cli.out.rows({ fields: FIELDS, table: ['id', 'login', 'username', 'status', 'lastSeenAt'] }, rows);
    }),
  );
};

const addReset = (noun: Command, cli: Cli): void => {
  const leaf = addCommand(noun, 'reset-password <username>', {
    summary: 'Gives an administrator a new password and ends their sessions',
    examples: [
      ['admin reset-password root', 'asks for the password'],
      ['admin reset-password root --generate', 'prints a new one'],
    ],
  });
  addPasswordOptions(addMutationOptions(leaf)).action(async (login: string, options: CreateOptions) => {
    const password = await readNewPassword(cli, options);
    const admin = await withWritableContext(cli, options.dryRun, async ({ ctx, actor }) =>
      (await loadActions()).resetAdminPassword(ctx, actor, login, { password, reason: options.reason }),
    );
    cli.say(`${admin.login} has a new password; their sessions have ended.`);
    await printAccount(cli, { id: admin.id, login: admin.login! }, options.generate ? password : undefined);
  });
};

const addSwitch = (noun: Command, cli: Cli, verb: 'disable' | 'enable', summary: string): void => {
  addMutationOptions(
    addCommand(noun, `${verb} <username>`, {
      summary,
      examples: [[`admin ${verb} alice --reason "left the team"`, summary.toLowerCase()]],
    }),
  ).action(async (login: string, { dryRun, reason }: MutationOptions) => {
    const admin = await withWritableContext(cli, dryRun, async ({ ctx, actor }) =>
      (await loadActions()).setAdminDisabled(ctx, actor, login, verb === 'disable', { reason }),
    );
    await cli.out.record(
      { fields: ['id', 'login', 'status'] },
      { id: admin.id, login: admin.login, status: verb === 'disable' ? 'disabled' : 'active' },
    );
  });
};

export function register(noun: Command, cli: Cli): void {
  addCreate(noun, cli);
  addList(noun, cli);
  addReset(noun, cli);
  addSwitch(noun, cli, 'disable', 'Ends the sessions of an administrator and refuses their password');
  addSwitch(noun, cli, 'enable', 'Lets a disabled administrator sign in again');
}
