import type { Command } from 'commander';
import { listAdmins } from '../../server/features/auth/repository.ts';
import { createAdmin, resetAdminPassword, setAdminDisabled } from '../../server/features/auth/service.ts';
import { isSuspended } from '../../server/policy.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions } from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import type { Fields } from '../framework/output.ts';
import { addPasswordOptions, type PasswordOptions, readNewPassword } from '../framework/terminal.ts';

type Admin = Awaited<ReturnType<typeof listAdmins>>[number];

const toStatus = (admin: Admin, now: Date): string => {
  if (admin.banned_at) return 'banned';
  if (isSuspended(admin, now)) return 'suspended';
  return admin.disabled_at ? 'disabled' : 'active';
};

const fieldsAt = (now: Date): Fields<Admin> => ({
  id: 'id',
  login: 'login',
  username: 'username',
  displayName: 'display_name',
  status: (admin) => toStatus(admin, now),
  passwordChangedAt: 'changed_at',
  lastSeenAt: 'last_seen_at',
  createdAt: 'created_at',
});

interface CreateOptions extends MutationOptions, PasswordOptions {
  user?: string;
  email?: string;
  existsOk?: boolean;
}

const printAccount = async (cli: Cli, account: { id: string; login: string }, generated?: string): Promise<void> => {
  if (generated !== undefined && cli.isTable()) return cli.out.raw(`${generated}\n`);
  const fields = ['id', 'login', ...(generated === undefined ? [] : ['password'])];
  await cli.out.record({ fields }, { ...account, password: generated });
};

const addSwitch = (noun: Command, cli: Cli, verb: 'disable' | 'enable', summary: string): void => {
  addCommand(noun, `${verb} <username>`, {
    summary,
    examples: [[`admin ${verb} alice --reason "left the team"`, summary.toLowerCase()]],
    changes: 'at once',
  }).action(async (login: string, { dryRun, reason }: MutationOptions) => {
    const admin = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
      setAdminDisabled(ctx, actor, login, verb === 'disable', { reason }),
    );
    const status = verb === 'disable' ? 'disabled' : 'active';
    await cli.out.record({ fields: ['id', 'login', 'status'] }, { id: admin.id, login: admin.login, status });
  });
};

export function register(noun: Command, cli: Cli): void {
  const create = addCommand(noun, 'create <username>', {
    summary: 'Makes an administrator who signs in with username and password',
    description:
      'Without --user the account has no X handle and no public profile. A password has at least 12 characters.',
    examples: [
      ['admin create root', 'asks for the password'],
      ['admin create root --password-stdin <secret.txt', 'in a script'],
      ['admin create alice --user @alice_sells --generate', 'an X user, who gets a password too'],
      ['admin create root --password-file /run/secrets/pw --exists-ok', 'at every start of a container'],
    ],
    changes: 'at once',
  });
  addPasswordOptions(create)
    .option('--user <@handle>', 'the X user who becomes an administrator')
    .option('--email <address>', 'for the account without --user')
    .option('--exists-ok', 'leave an administrator of that name as they are')
    .action(async (login: string, options: CreateOptions) => {
      const password = await readNewPassword(cli, options);
      const { user: handle, email, existsOk, reason, dryRun } = options;
      const created = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        createAdmin(ctx, actor, { login, password, handle, email, existsOk, reason }),
      );
      cli.say(
        created.isNew
          ? `Administrator ${created.login} was made (id ${created.id}).`
          : `${created.login} exists already.`,
      );
      await printAccount(cli, created, options.generate && created.isNew ? password : undefined);
    });

  addCommand(noun, 'list', {
    summary: 'Lists administrators',
    examples: [
      ['admin list', 'all of them'],
      ['admin list -o json', 'for a script'],
    ],
  }).action(() =>
    withContext(cli, async ({ ctx }) => {
      const table = ['id', 'login', 'username', 'status', 'lastSeenAt'];
      await cli.out.rows({ fields: fieldsAt(ctx.clock.now()), table }, await listAdmins(ctx.db));
    }),
  );

  const reset = addCommand(noun, 'reset-password <username>', {
    summary: 'Gives an administrator a new password and ends their sessions',
    examples: [
      ['admin reset-password root', 'asks for the password'],
      ['admin reset-password root --generate', 'prints a new one'],
    ],
    changes: 'at once',
  });
  addPasswordOptions(reset).action(async (login: string, options: CreateOptions) => {
    const password = await readNewPassword(cli, options);
    const admin = await withWritableContext(cli, options.dryRun, ({ ctx, actor }) =>
      resetAdminPassword(ctx, actor, login, { password, reason: options.reason }),
    );
    cli.say(`${admin.login} has a new password; their sessions have ended.`);
    await printAccount(cli, { id: admin.id, login: admin.login! }, options.generate ? password : undefined);
  });

  addSwitch(noun, cli, 'disable', 'Ends the sessions of an administrator and refuses their password');
  addSwitch(noun, cli, 'enable', 'Lets a disabled administrator sign in again');
}
