import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleAd, sampleAdminUser } from '../../test/samples.ts';
import { BanDialog, DeactivateDialog, useActivateAd } from './moderation.tsx';

const close = () => undefined;
const dialogs = [
  { label: 'Ban User', element: <BanDialog user={sampleAdminUser()} onClose={close} /> },
  { label: 'Deactivate', element: <DeactivateDialog ad={sampleAd()} onClose={close} /> },
];

test.each(dialogs)(
  '$label: tells how much room the reason has left, and waits for one that is too long',
  async (dialog) => {
    renderAt({ routes: [{ path: '/', element: dialog.element }] });
    const confirm = await screen.findByRole<HTMLButtonElement>('button', { name: dialog.label });
    const reason = screen.getByLabelText<HTMLTextAreaElement>(/^Reason/);
    const write = (characters: number) => fireEvent.change(reason, { target: { value: '🚲'.repeat(characters) } });
    write(450);
    expect(screen.queryByText(/^Characters/)).toBeNull();
    write(451);
    expect(reason.getAttribute('aria-describedby')).toBe(screen.getByText('Characters left: 49').id);
    write(503);
    expect(reason.getAttribute('aria-describedby')).toBe(screen.getByText('Characters over the limit: 3').id);
    expect(reason.maxLength).toBe(-1);
    expect(confirm.disabled).toBe(true);
    write(500);
    expect(confirm.disabled).toBe(false);
  },
);

const USERS = ['Ann', 'Bob'].map((displayName, index) => sampleAdminUser({ displayName, id: `${index + 1}` }));

const Moderation = () => {
  const [toBan, setToBan] = useState<(typeof USERS)[number]>();
  return (
    <>
      {USERS.map((user) => (
        <button key={user.id} type="button" onClick={() => setToBan(user)}>
          {user.displayName}
        </button>
      ))}
      <BanDialog user={toBan} onClose={() => setToBan(undefined)} />
    </>
  );
};
const reason = () => screen.findByLabelText<HTMLTextAreaElement>(/^Reason/);
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const isClosed = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

test('a reason typed for one user is not there for the next', async () => {
  renderAt({ routes: [{ path: '/', element: <Moderation /> }] });
  press('Ann');
  fireEvent.change(await reason(), { target: { value: 'Meant for Ann' } });
  press('Cancel');
  await isClosed();
  press('Bob');
  expect((await reason()).value).toBe('');
});

test('a reason is still there after a failed call, and gone after a successful one', async () => {
  const bodies: unknown[] = [];
  const { answers } = fakeApi({ 'POST /api/admin/users/1/ban': { status: 503 } });
  renderAt({ routes: [{ path: '/', element: <Moderation /> }] });
  press('Ann');
  fireEvent.change(await reason(), { target: { value: 'Meant for Ann' } });
  press('Ban User');
  expect(await screen.findByText('Failed to ban user')).toBeDefined();
  await isClosed();
  press('Ann');
  expect((await reason()).value).toBe('Meant for Ann');
  answers['POST /api/admin/users/1/ban'] = async (request) => {
    bodies.push(await request.json());
    return { json: USERS[0] };
  };
  press('Ban User');
  expect(await screen.findByText('User banned successfully')).toBeDefined();
  expect(bodies).toEqual([{ reason: 'Meant for Ann' }]);
  await isClosed();
  press('Ann');
  expect((await reason()).value).toBe('');
});

const Activation = () => {
  const { activate } = useActivateAd();
  return (
    <button type="button" onClick={() => void activate(sampleAd({ version: 'as seen' }))}>
      Approve
    </button>
  );
};

test('an approval names the ad that was seen, and says why it is refused', async () => {
  const bodies: unknown[] = [];
  const message = 'This ad was changed since you opened it. Look at it again.';
  fakeApi({
    'PATCH /api/admin/ads/1/status': async (request) => {
      bodies.push(await request.json());
      return { status: 409, json: { code: 'conflict', message } };
    },
  });
  renderAt({ routes: [{ path: '/', element: <Activation /> }] });
  press('Approve');
  expect(await screen.findByText(message)).toBeDefined();
  expect(bodies).toEqual([{ status: 'active', version: 'as seen' }]);
});
