import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Decision } from '../../../contract/reports.ts';
import { AdStatusBanner } from '../features/ads/detail/ad-detail.tsx';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd, sampleDecision, sampleMe } from '../test/samples.ts';
import { DecisionsPage } from './decisions.tsx';

const LIST = 'GET /api/decisions';
const APPEAL = 'POST /api/decisions/70/appeal';
const AGO = '2026-01-05T10:00:00.000Z';
const serve = (...decisions: Decision[]) => fakeApi({ [LIST]: { json: decisions } });
const show = (at = '/decisions', me = sampleMe()) =>
  renderAt({ routes: [{ path: '/decisions', element: <DecisionsPage /> }], at, boot: { me } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const heading = async () => (await screen.findByRole('heading', { level: 2 })).textContent;
const text = () => screen.getByLabelText<HTMLTextAreaElement>('Why is the decision wrong?');

test('a decision states what was decided, why, and by whom, without names', async () => {
  serve(sampleDecision({ note: 'Photos of another shop' }));
  show();
  expect(await heading()).toBe('We removed your ad “Oak table”');
  expect(screen.getByRole('link', { name: 'Oak table' }).getAttribute('href')).toBe('/ads/1');
  expect(screen.getByText('Scam or fraud')).toBeDefined();
  expect(screen.getByText('Photos of another shop')).toBeDefined();
  expect(screen.getByText('A moderator')).toBeDefined();
});

test('while suspended, the owner has no link to the ad, which they cannot open', async () => {
  serve(sampleDecision());
  show('/decisions', sampleMe({ suspendedUntil: '2099-01-06T10:00:00.000Z' }));
  expect(await heading()).toBe('We removed your ad “Oak table”');
  expect(screen.queryByRole('link', { name: 'Oak table' })).toBeNull();
});

const STATEMENTS: [Partial<Decision>, string, string][] = [
  [{ action: 'hold', isAutomatic: true }, 'Your ad “Oak table” is on hold', 'Automatic: several people reported it'],
  [{ action: 'warn', url: null }, 'We warned you because of your ad “Oak table”', 'A moderator'],
  [{ action: 'warn', targetType: 'user', title: null }, 'We warned you', 'A moderator'],
  [
    { action: 'suspend', days: 1, until: '2099-01-06T10:00:00.000Z' },
    'We suspended your account for 1 day',
    'In effect',
  ],
  [{ action: 'suspend', days: 7, until: AGO, canAppeal: false }, 'We suspended your account for 7 days', 'Ended'],
  [{ action: 'ban', appealUntil: null }, 'We banned your account', 'Appeal this decision'],
  [
    { action: 'ban', appealUntil: null, canAppeal: false },
    'We banned your account',
    'This decision is no longer in effect.',
  ],
  [
    { canAppeal: false, appealUntil: AGO },
    'We removed your ad “Oak table”',
    'The time for an appeal ended on Jan 5, 2026.',
  ],
  [{ canAppeal: false }, 'We removed your ad “Oak table”', 'This decision is no longer in effect.'],
  [
    { canAppeal: false, reversedAt: AGO },
    'We removed your ad “Oak table”',
    'The decision was reversed on Jan 5, 2026.',
  ],
  [
    { canAppeal: false, appeal: { text: 'Mine', createdAt: AGO, status: 'upheld', note: null } },
    'We removed your ad “Oak table”',
    'You appealed on Jan 5, 2026. Your appeal was reviewed, and the decision remains. It is final.',
  ],
];
test.each(STATEMENTS)('%o', async (fields, title, statement) => {
  serve(sampleDecision(fields));
  show();
  expect(await heading()).toBe(title);
  expect(screen.getByText(statement)).toBeDefined();
  if (fields.canAppeal === false) expect(screen.queryByRole('button', { name: 'Appeal this decision' })).toBeNull();
});

test('an appeal needs a text, survives a failed call and a closed form, and is then shown', async () => {
  const bodies: unknown[] = [];
  const { answers, asked } = serve(sampleDecision());
  show();
  await heading();
  press('Appeal this decision');
  await waitFor(() => expect(document.activeElement).toBe(text()));
  press('Send Appeal');
  expect(await screen.findByText('Explain why the decision is wrong')).toBeDefined();
  expect(asked).toEqual([LIST]);
  fireEvent.change(text(), { target: { value: 'These are my photos' } });
  answers[APPEAL] = { status: 503 };
  press('Send Appeal');
  expect((await screen.findByRole('alert')).textContent).toBe('Your appeal could not be sent. Please try again.');
  press('Cancel');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Appeal this decision' }));
  press('Appeal this decision');
  expect(text().value).toBe('These are my photos');

  const appealed = sampleDecision({
    canAppeal: false,
    appeal: { text: 'These are my photos', createdAt: AGO, status: 'open', note: null },
  });
  answers[APPEAL] = async (request) => {
    bodies.push(await request.json());
    answers[LIST] = { json: [appealed] };
    return { status: 201, json: appealed };
  };
  press('Send Appeal');
  expect(await screen.findByText('Appeal sent')).toBeDefined();
  expect(await screen.findByText('Appeal under review')).toBeDefined();
  expect(bodies).toEqual([{ text: 'These are my photos' }]);
  expect(screen.queryByRole('button', { name: 'Appeal this decision' })).toBeNull();
  expect(document.activeElement?.id).toBe('decision-70');
});

test('the note of the person who decided the appeal is shown', async () => {
  const appeal = { text: 'Mine', createdAt: AGO, status: 'upheld', note: 'The photos are from a shop' } as const;
  serve(sampleDecision({ canAppeal: false, appeal }));
  show();
  expect(await screen.findByText('The photos are from a shop')).toBeDefined();
});

test('an appeal that another tab sent before is shown', async () => {
  const { answers } = serve(sampleDecision());
  show();
  await heading();
  press('Appeal this decision');
  fireEvent.change(text(), { target: { value: 'Second' } });
  answers[APPEAL] = () => {
    answers[LIST] = {
      json: [
        sampleDecision({ canAppeal: false, appeal: { text: 'First', createdAt: AGO, status: 'open', note: null } }),
      ],
    };
    return { status: 409, json: { message: 'You have appealed this decision already', code: 'conflict' } };
  };
  press('Send Appeal');
  expect(await screen.findByText('First')).toBeDefined();
});

test('without decisions, signed out, and after a failed read the page says so', async () => {
  const { answers } = serve();
  show();
  expect(await screen.findByText('No decisions')).toBeDefined();
  cleanup();
  renderAt({ routes: [{ path: '/', element: <DecisionsPage /> }] });
  expect(screen.getByText('Please sign in to see decisions about your account')).toBeDefined();
  cleanup();
  answers[LIST] = { status: 503 };
  show();
  expect(await screen.findByText('Failed to load the decisions')).toBeDefined();
});

test('the owner of a hidden ad is led to the decision, whose card takes the focus', async () => {
  serve(sampleDecision({ id: '69', url: '/ads/2' }), sampleDecision({ action: 'hold' }));
  const banner = <AdStatusBanner ad={sampleAd({ state: 'pending', isActive: false })} onChange={() => {}} />;
  const { router } = renderAt({
    routes: [
      { path: '/', element: banner },
      { path: '/decisions', element: <DecisionsPage /> },
    ],
    boot: { me: sampleMe() },
  });
  const link = await screen.findByRole('link', { name: 'Reasons and appeal' });
  await act(async () => void fireEvent.click(link));
  expect(router.state.location.hash).toBe('#decision-70');
  await waitFor(() => expect(document.activeElement?.id).toBe('decision-70'));
});
