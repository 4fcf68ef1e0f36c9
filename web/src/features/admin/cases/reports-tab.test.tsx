import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Case } from '../../../../../contract/reports.ts';
import { fakeApi } from '../../../test/fake-api.ts';
import { renderAt } from '../../../test/render-at.tsx';
import { sampleCase, sampleCaseDecision, sampleCaseTarget, sampleMe } from '../../../test/samples.ts';
import { ReportsTab } from './reports-tab.tsx';

const me = sampleMe({ id: '9', role: 'moderator', displayName: 'Mo' });
const LIST = 'GET /api/admin/reports?status=open';
const COUNT = 'GET /api/admin/reports/count';
const decision = (id: string) => `POST /api/admin/reports/${id}/decision`;
const TITLES = ['Oak table', 'Brass lamp', 'Fake watch'];
const CASES = TITLES.map((title, index) => sampleCase({ id: `${index + 1}`, title }));

/** A queue whose decided cases leave it, as on the server. */
const serve = (cases: Case[] = CASES) => {
  const open = [...cases];
  const bodies: unknown[] = [];
  const api = fakeApi({
    [LIST]: () => ({ json: open }),
    [COUNT]: () => ({ json: { open: open.length } }),
    ...Object.fromEntries(cases.map((one) => [`GET /api/admin/reports/${one.id}`, { json: one }])),
    ...Object.fromEntries(
      cases.map((one) => [
        decision(one.id),
        async (request: Request) => {
          const body = await request.json();
          bodies.push(body);
          open.splice(open.indexOf(one), 1);
          const decided = { ...one, status: 'decided', decision: sampleCaseDecision(body) };
          api.answers[`GET /api/admin/reports/${one.id}`] = { json: decided };
          return { json: decided };
        },
      ]),
    ),
  });
  return { ...api, bodies, open };
};
const show = (at = '/?tab=reports') =>
  renderAt({ routes: [{ path: '/', element: <ReportsTab me={me} /> }], at, boot: { me } });
const queued = (name: string) => within(screen.getByRole('region', { name: 'Cases' })).queryByRole('link', { name });
const heading = (name: string) => screen.findByRole('heading', { level: 2, name });
const expectFocused = async (name: string) => {
  const element = await heading(name);
  await waitFor(() => expect(document.activeElement).toBe(element));
};
const press = (key: string) =>
  act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }));
const decide = () => fireEvent.click(screen.getByRole('button', { name: 'Decide' }));
const radio = (label: string) => screen.getByRole<HTMLInputElement>('radio', { name: new RegExp(`^${label}`) });

test('keys lead through the queue, and the heading of each case takes the focus', async () => {
  serve();
  const { router } = show();
  await screen.findByRole('link', { name: 'Oak table' });
  await press('j');
  await expectFocused('Oak table');
  expect(router.state.location.search).toBe('?tab=reports&case=1');
  await press('ArrowRight');
  await expectFocused('Brass lamp');
  await press('k');
  await expectFocused('Oak table');
  await press('ArrowLeft');
  expect(router.state.location.search, 'it is the first').toBe('?tab=reports&case=1');
});

test('a key chooses the decision, Enter is left to decide, and the next case opens', async () => {
  const { bodies } = serve();
  show('/?tab=reports&case=1');
  await heading('Oak table');
  await press('7');
  expect(radio('Suspend 7 days').checked).toBe(true);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Decide' }));
  decide();
  await expectFocused('Brass lamp');
  expect(bodies).toEqual([{ action: 'suspend', days: 7, reason: 'scam' }]);
  expect(await screen.findByText('Suspended for 7 days: Oak table')).toBeDefined();
  await waitFor(() => expect(queued('Oak table')).toBeNull());
  expect(screen.getByRole('button', { name: 'Open (2)' })).toBeDefined();
});

test('after the last decision the queue says that it is empty and has the focus', async () => {
  serve([sampleCase({ id: '1' })]);
  show('/?tab=reports&case=1');
  await heading('Oak table');
  await press('d');
  decide();
  expect(await screen.findByText('No open cases')).toBeDefined();
  expect(screen.queryByText('Press j to open the first one.')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Cases' })));
});

test('typing a note chooses nothing, and the note survives a failed call and another case', async () => {
  const { answers } = serve();
  show('/?tab=reports&case=1');
  await heading('Oak table');
  const note = () => screen.getByLabelText<HTMLTextAreaElement>('Note to Sally Seller (optional)');
  note().focus();
  fireEvent.change(note(), { target: { value: 'Read the rules' } });
  await press('w');
  expect(radio('Warn').checked).toBe(false);
  fireEvent.click(radio('Warn'));
  answers[decision('1')] = { status: 503, json: { message: 'The database is not reachable.' } };
  decide();
  expect((await screen.findByRole('alert')).textContent).toBe('The database is not reachable.');
  expect(note().value).toBe('Read the rules');
  (document.activeElement as HTMLElement).blur();
  await press('j');
  await heading('Brass lamp');
  expect(note().value).toBe('');
  await press('k');
  await heading('Oak table');
  expect(note().value).toBe('Read the rules');
});

test('a decision is needed, and a note that is too long is not sent', async () => {
  const { asked } = serve();
  show('/?tab=reports&case=1');
  await heading('Oak table');
  decide();
  expect(await screen.findByText('Choose a decision')).toBeDefined();
  fireEvent.click(radio('Dismiss'));
  fireEvent.change(screen.getByLabelText('Note for other moderators (optional)'), {
    target: { value: '🚲'.repeat(501) },
  });
  decide();
  expect(await screen.findByText('Characters over the limit: 1')).toBeDefined();
  expect(asked.filter((name) => name.startsWith('POST'))).toEqual([]);
});

test('a ban is confirmed first', async () => {
  const { bodies } = serve();
  show('/?tab=reports&case=1');
  await heading('Oak table');
  await press('b');
  decide();
  const question = await screen.findByRole('alertdialog', { name: 'Ban Sally Seller' });
  expect(bodies).toEqual([]);
  await press('d');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^Ban/, hidden: true }).checked, 'keys rest').toBe(true);
  fireEvent.click(within(question).getByRole('button', { name: 'Ban' }));
  await heading('Brass lamp');
  expect(bodies).toEqual([{ action: 'ban', reason: 'scam' }]);
});

test('the second of two moderators sees what the first decided, and the queue loses the case', async () => {
  const { answers, open } = serve();
  show('/?tab=reports&case=1');
  await heading('Oak table');
  await press('d');
  answers[decision('1')] = () => {
    open.shift();
    const first = { ...CASES[0], status: 'decided', decision: sampleCaseDecision({ note: 'Stolen photos' }) };
    answers['GET /api/admin/reports/1'] = { json: first };
    return { status: 409, json: { message: 'This case is decided.', code: 'conflict' } };
  };
  decide();
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Maria Moderator decided this case first. Your decision was not saved.',
  );
  expect(screen.getByText('Ad removed')).toBeDefined();
  expect(screen.getByText('Stolen photos')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Decide' })).toBeNull();
  await waitFor(() => expect(queued('Oak table')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Next case' }));
  expect(await heading('Brass lamp')).toBeDefined();
});

test('only the actions that the server allows are offered, and none to who may not decide', async () => {
  serve([sampleCase({ id: '1', actions: ['dismiss', 'warn'] })]);
  show('/?tab=reports&case=1');
  await heading('Oak table');
  expect(screen.getAllByRole('radio').map((input) => (input as HTMLInputElement).value)).toEqual(['dismiss', 'warn']);
  await press('b');
  expect(screen.queryByRole('radio', { checked: true })).toBeNull();
  cleanup();
  serve([sampleCase({ id: '1', actions: [] })]);
  show('/?tab=reports&case=1');
  expect(await screen.findByText(/^You cannot decide this case/)).toBeDefined();
});

test('an edited ad shows which words and photos changed', async () => {
  const reported = sampleCaseTarget({
    text: 'Pay by wire transfer',
    imageUrls: ['/media/a.jpg'],
    price: '0.00',
    priceType: 'free',
  });
  const now = sampleCaseTarget({ text: 'Pay by card', imageUrls: ['/media/b.jpg'], priceType: 'wanted' });
  serve([sampleCase({ id: '1', reported, now, isEdited: true })]);
  const { container } = show('/?tab=reports&case=1');
  await heading('Oak table');
  const texts = (tag: string) => [...container.querySelectorAll(tag)].map((element) => element.textContent);
  expect(texts('del').join('')).toContain('wire transfer');
  expect(texts('ins').join('')).toContain('card');
  expect(texts('del').join('')).not.toContain('Pay by');
  expect(texts('del').join('')).toContain('Free');
  expect(texts('ins').join('')).toContain('Wanted for $120');
  expect(screen.getByText('Added')).toBeDefined();
  expect(screen.getByText('Removed')).toBeDefined();
});

test('a message case shows the copies with the names of both people', async () => {
  const message = (id: string, senderId: string, content: string) => ({
    id,
    senderId,
    content,
    createdAt: '2026-01-05T10:00:00.000Z',
  });
  const reported = sampleCaseTarget({
    messages: [message('1', '2000', 'Is it real?'), message('2', '1001', 'Send a code first')],
  });
  serve([sampleCase({ id: '1', targetType: 'message', reported, now: null })]);
  show('/?tab=reports&case=1');
  await heading('Oak table');
  const items = within(screen.getByRole('region', { name: 'Case' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent);
  expect(items[0]).toMatch(/^Buyer 0.*Is it real\?$/);
  expect(items[1]).toMatch(/^Sally Seller.*Reported.*Send a code first$/);
});

test('an appeal shows its text and the contested decision, and is upheld or reversed', async () => {
  const contested = {
    ...sampleCaseDecision({ note: 'Photos of another shop' }),
    action: 'remove' as const,
    isAutomatic: false,
    targetType: 'ad' as const,
  };
  const appeal = { text: 'These are my own photos', createdAt: '2026-01-06T10:00:00.000Z', contested };
  const { bodies } = serve([
    sampleCase({ id: '1', targetType: 'decision', appeal, reports: [], reasons: [], actions: ['uphold', 'reverse'] }),
    sampleCase({ id: '2', title: 'Brass lamp' }),
  ]);
  show('/?tab=reports&case=1');
  expect(await screen.findByText('These are my own photos')).toBeDefined();
  expect(screen.getByText('Photos of another shop')).toBeDefined();
  await press('r');
  expect(radio('Reverse').checked).toBe(true);
  decide();
  await heading('Brass lamp');
  expect(bodies).toEqual([{ action: 'reverse', reason: 'scam' }]);
});

test('shortcuts can be switched off', async () => {
  serve();
  const { router } = show();
  await screen.findByRole('link', { name: 'Oak table' });
  expect(screen.getByText('Press j to open the first one.')).toBeDefined();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Keyboard shortcuts' }));
  expect(screen.queryByText('Press j to open the first one.')).toBeNull();
  await press('j');
  expect(router.state.location.search).toBe('?tab=reports');
});

test('a failed queue and an unknown case say so', async () => {
  const { answers } = serve();
  answers[LIST] = { status: 503 };
  answers['GET /api/admin/reports/77'] = { status: 404 };
  show('/?tab=reports&case=77');
  expect(await screen.findByText('Failed to load the cases')).toBeDefined();
  expect(await screen.findByText('Case not found')).toBeDefined();
});
