import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../test/render-at.tsx';
import { sampleAd, sampleAdminUser } from '../../test/samples.ts';
import { BanDialog, DeactivateDialog } from './moderation-dialogs.tsx';

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
