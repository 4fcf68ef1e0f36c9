import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Me } from '../../../../contract/user.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { SignInProvider } from '../auth/sign-in.tsx';
import { ReportButton } from './report-button.tsx';

const REPORT = 'POST /api/reports';
const open = async (me: Me | null) => {
  const element = (
    <SignInProvider>
      <ReportButton target={{ type: 'ad', id: '7', name: 'Oak table' }} />
    </SignInProvider>
  );
  renderAt({ routes: [{ path: '/', element }], boot: { me } });
  const opener = screen.getByRole('button', { name: 'Report Oak table' });
  opener.focus();
  fireEvent.click(opener);
  return opener;
};
const choose = async (label: string) => fireEvent.click(await screen.findByLabelText(label));
const details = () => screen.getByLabelText<HTMLTextAreaElement>(/^Details/);
const type = (value: string) => fireEvent.change(details(), { target: { value } });
const send = (name = 'Send Report') => fireEvent.click(screen.getByRole('button', { name }));

test('a report is sent with its reason, thanked for, and the focus returns to the button', async () => {
  const bodies: unknown[] = [];
  fakeApi({
    [REPORT]: async (request) => {
      bodies.push(await request.json());
      return { status: 201, json: { id: '1', status: 'open' } };
    },
  });
  const opener = await open(sampleMe());
  await choose('Scam or fraud');
  send();
  expect(await screen.findByText('Thank you. We will look into it.')).toBeDefined();
  expect(bodies).toEqual([{ targetType: 'ad', targetId: '7', reason: 'scam' }]);
  await waitFor(() => expect(document.activeElement).toBe(opener));
  expect(sessionStorage.length).toBe(0);
});

test('a report needs a reason, and “Something else” needs details', async () => {
  const { asked } = fakeApi({});
  await open(sampleMe());
  await screen.findByLabelText('Scam or fraud');
  send();
  expect(await screen.findByText('Choose a reason')).toBeDefined();
  await choose('Something else');
  send();
  expect(await screen.findByText('Tell us what is wrong')).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(details()));
  type('🚲'.repeat(901));
  expect(screen.getByText('Characters left: 99')).toBeDefined();
  type('🚲'.repeat(1001));
  send();
  expect(await screen.findByText('Characters over the limit: 1')).toBeDefined();
  expect(asked).toEqual([]);
});

test('the text survives a failed call, a closed dialog and a reload', async () => {
  const { answers } = fakeApi({
    [REPORT]: { status: 429, json: { message: 'Too many reports. Try again in 5 minutes.', code: 'rate_limited' } },
  });
  await open(sampleMe());
  await choose('Offensive content');
  type('Third message like this');
  send();
  expect((await screen.findByRole('alert')).textContent).toBe('Too many reports. Try again in 5 minutes.');
  expect(details().value).toBe('Third message like this');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  cleanup();
  await open(sampleMe());
  expect((await screen.findByLabelText<HTMLInputElement>('Offensive content')).checked).toBe(true);
  expect(details().value).toBe('Third message like this');
  answers[REPORT] = { status: 200, json: { id: '1', status: 'open' } };
  send();
  expect(await screen.findByText('Thank you. We will look into it.')).toBeDefined();
});

test('a session that has ended leaves the text for after the next sign-in', async () => {
  fakeApi({ [REPORT]: { status: 401, json: { message: 'Not signed in', code: 'unauthenticated' } } });
  await open(sampleMe());
  await choose('Scam or fraud');
  type('Asks for a deposit');
  send();
  expect(await screen.findByText(/Your session has ended/)).toBeDefined();
  cleanup();
  await open(sampleMe());
  await screen.findByLabelText('Scam or fraud');
  expect(details().value).toBe('Asks for a deposit');
});

test('a visitor signs in first', async () => {
  fakeApi({});
  await open(null);
  expect(await screen.findByRole('button', { name: 'Continue with X' })).toBeDefined();
  expect(screen.queryByText('Report this ad')).toBeNull();
});

test('for staff the same dialog flags for review', async () => {
  fakeApi({ [REPORT]: { status: 201, json: { id: '1', status: 'open' } } });
  await open(sampleMe({ role: 'moderator' }));
  await choose('Counterfeit');
  send('Flag for Review');
  expect(await screen.findByText('Thank you. We will look into it.')).toBeDefined();
});
