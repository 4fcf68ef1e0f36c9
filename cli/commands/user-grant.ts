import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addLeaf, addMutationOptions, type MutationOptions } from '../declare.ts';
import { getUser } from '../find-user.ts';
import { type Acting, withWritableApp } from '../with-app.ts';

const GRANTS = ['admin', 'link-out'] as const;
type Grant = (typeof GRANTS)[number];

const FIELDS = ['id', 'username', 'grant', 'granted', 'changed'];

const change = async (
  { app, actor }: Acting,
  who: string,
  grant: Grant,
  granted: boolean,
  reason: string | undefined,
) => {
  const [{ setLinkOut }, { setAdminRole }] = await Promise.all([
    import('../../server/features/admin/actions-users.ts'),
    import('../../server/features/admin/actions-roles.ts'),
  ]);
  const user = await getUser(app.db, who);
  const row = { id: user.id, username: user.username, grant, granted };
  if (grant === 'admin') return { ...row, changed: await setAdminRole(app, actor, user.id, granted, { reason }) };
  const changed = user.can_link_out !== granted;
  if (changed) await setLinkOut(app, actor, user.id, granted, { reason });
  return { ...row, changed };
};

const addGrant = (noun: Command, cli: Cli, verb: 'grant' | 'revoke', summary: string): void => {
  addMutationOptions(
    addLeaf(noun, `${verb} <user>`, {
      summary,
      description: 'admin: may administer in the browser. link-out: may put an external link on ads.',
      examples: [
        [`user ${verb} @handle link-out`, summary.toLowerCase()],
        [`user ${verb} 10001 admin`, 'the role of an administrator'],
      ],
    }),
  )
    .addArgument(new Argument('<grant>', 'what').choices(GRANTS))
    .action(async (who: string, grant: Grant, { dryRun, reason }: MutationOptions) => {
      const row = await withWritableApp(cli, dryRun, (acting) => change(acting, who, grant, verb === 'grant', reason));
      if (!row.changed) cli.say('It was so already.');
      await cli.out.record({ fields: FIELDS }, row);
    });
};

/** user grant, user revoke. */
export function addGrants(noun: Command, cli: Cli): void {
  addGrant(noun, cli, 'grant', 'Gives a user a capability');
  addGrant(noun, cli, 'revoke', 'Takes a capability away');
}
