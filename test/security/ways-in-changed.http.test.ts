import { describe, expect, test } from 'vitest';
import * as auth from '../../contract/auth.ts';
import { removeMyEmail } from '../../contract/email.ts';
import { listNotifications } from '../../contract/notifications.ts';
import * as passkeys from '../../contract/passkeys.ts';
import { createOperatorLink, recoverByLink } from '../../server/features/access/recovery.ts';
import { setRole } from '../../server/features/admin/service.ts';
import * as service from '../../server/features/auth/service.ts';
import { operator } from '../../server/policy.ts';
import { openTestApp } from '../harness/app.ts';
import { createAuthenticator } from '../harness/authenticator.ts';
import { insertAdmin, nextSerial, PASSWORD } from '../harness/factories.ts';
import { openSmtpServer } from '../harness/smtp-server.ts';

const smtp = await openSmtpServer();
const { app, url, createPerson, signIn } = await openTestApp({ env: { SMTP_URL: smtp.url, X_EMAIL: 'on' } });
const OPERATOR = operator('test');
const NEW_PASSWORD = 'another fine one';

async function createAdmin() {
  const { id, login } = await insertAdmin(app);
  return { id, login, client: await signIn(id, 'password') };
}

const confirmed = (id: string, address = `way.${id}@mail.example`) => ({
  user_id: id,
  address,
  uses_x: false,
  opens_account: true,
  confirmed_at: app.db.fn.now(),
});

type Subject = Awaited<ReturnType<typeof createAdmin>>;

/** What changes the ways in of an administrator with a confirmed address and a passkey. */
const CHANGES: Record<string, (admin: Subject & { passkey: string }) => Promise<unknown>> = {
  'a changed password': ({ client }) =>
    client.ok(auth.changePassword, { body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD } }),
  'a password of the operator': ({ login }) =>
    service.resetAdminPassword(app, OPERATOR, login, { password: NEW_PASSWORD }),
  'a password that the operator switches off': async ({ login }) => {
    await service.setAdminDisabled(app, OPERATOR, login, true);
    await service.setAdminDisabled(app, OPERATOR, login, false);
  },
  'a lower role': ({ id }) => setRole(app, OPERATOR, id, 'user'),
  'a removed passkey': ({ client, passkey }) => client.ok(passkeys.removePasskey, { params: { id: passkey } }),
  'a removed address': ({ client }) => client.ok(removeMyEmail),
};

describe('a recovery link that waits ends with', () => {
  test.each(Object.entries(CHANGES))('%s', async (_, change) => {
    await createAdmin();
    const admin = await createAdmin();
    const { client, id } = admin;
    const { credential } = createAuthenticator(url).make(await client.ok(passkeys.beginPasskey));
    const { id: passkey } = await client.ok(passkeys.addPasskey, { body: { name: 'Phone', credential } });
    await app.db('email_addresses').insert(confirmed(id));
    const token = (await createOperatorLink(app, OPERATOR, id)).split('#token=')[1]!;
    await change({ ...admin, passkey });
    await expect(recoverByLink(app, token)).rejects.toMatchObject({ code: 'link_invalid' });
  });

  test('a password of a person who becomes an administrator', async () => {
    const { id, username } = await createPerson();
    const token = (await createOperatorLink(app, OPERATOR, id)).split('#token=')[1]!;
    const input = { login: `keeper-${nextSerial()}`, password: NEW_PASSWORD, handle: `@${username}` };
    await service.createAdmin(app, OPERATOR, input);
    await expect(recoverByLink(app, token)).rejects.toMatchObject({ code: 'link_invalid' });
  });
});

describe('an address that X names anew', () => {
  const enterWith = async (xId: string, email: string | null) => {
    const profile = await app.db('users').where({ x_id: xId }).first();
    const me = async () => ({
      id: xId,
      username: profile?.username ?? `fresh_${nextSerial()}`,
      displayName: 'Dana',
      avatar: null,
      isVerified: false,
      isPremium: null,
      verifiedType: null,
      xAccountCreated: null,
      email,
    });
    return service.signInWithX({ ...app, x: { ...app.x, me } } as never, 'token');
  };
  const listSent = async (id: string) => {
    const jobs = await app.db.raw(
      `select payload->>'to' as "to" from graphile_worker._private_jobs j
       join notifications n on n.id = (payload->>'notificationId')::bigint where n.user_id = ? order by j.id`,
      [id],
    );
    return jobs.rows.map(({ to }: { to: string }) => to);
  };

  test('ends other sessions and links, and is told to the former address', async () => {
    const person = await createPerson({ email: 'former@x.example' });
    const token = (await createOperatorLink(app, OPERATOR, person.id)).split('#token=')[1]!;
    const { x_id } = (await app.db('users').where({ id: person.id }).first())!;
    const before = (await listSent(person.id)).length;
    await enterWith(x_id!, 'former@x.example');
    expect((await person.client.call(auth.getMe)).status).toBe(200);
    expect(await listSent(person.id)).toHaveLength(before);
    await enterWith(x_id!, 'thief@x.example');
    await expect.poll(async () => (await person.client.call(auth.getMe)).status).toBe(401);
    await expect(recoverByLink(app, token)).rejects.toMatchObject({ code: 'link_invalid' });
    expect((await listSent(person.id)).slice(before)).toEqual(['former@x.example']);
    const [news] = await (await signIn(person.id)).ok(listNotifications);
    expect(news).toMatchObject({
      title: 'Your e-mail address was changed',
      body: expect.stringContaining('thief@x.example'),
    });
  });

  test('changes nothing for who has an address of their own, and nobody hears of their first sign-in', async () => {
    const person = await createPerson({ email: 'former@x.example' });
    await app.db('email_addresses').insert(confirmed(person.id));
    const { x_id } = (await app.db('users').where({ id: person.id }).first())!;
    await enterWith(x_id!, 'other@x.example');
    expect((await person.client.call(auth.getMe)).status).toBe(200);
    expect(await listSent(person.id)).toEqual([]);
    const { id } = await enterWith(`77${nextSerial()}`, 'new@x.example');
    expect(await listSent(id)).toEqual([]);
  });
});
