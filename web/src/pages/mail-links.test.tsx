import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../../contract/notification-settings.ts';
import type { Decision } from '../../../contract/reports.ts';
import { type Answers, fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleDecision } from '../test/samples.ts';
import { BanPage } from './ban.tsx';
import { UnsubscribePage } from './unsubscribe.tsx';
import { VerifyEmailPage } from './verify-email.tsx';

const TOKEN = 'abc.def';
const show = (answers: Answers, at: string) => {
  const api = fakeApi(answers);
  const routes = [
    { path: '/verify-email', element: <VerifyEmailPage /> },
    { path: '/ban', element: <BanPage /> },
    { path: '/unsubscribe', element: <UnsubscribePage /> },
  ];
  renderAt({ routes, at });
  return api;
};
const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
const findHeading = (name: string) => screen.findByRole('heading', { level: 1, name });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const refuse = (status: number, code: string, message = 'Refused.') => ({ status, json: { code, message } });

describe('the page of a confirmation mail', () => {
  const VERIFY = 'POST /api/email/verify';
  const RESEND = 'POST /api/email/resend';
  const open = (answers: Answers = {}) => show(answers, `/verify-email?token=${TOKEN}`);
  const confirm = () => press('Confirm This Address');

  test('confirms only when its button is pressed, and then names the address', async () => {
    const bodies: unknown[] = [];
    const { asked } = open({
      [VERIFY]: async (request) => {
        bodies.push(await request.json());
        return { json: { address: 'ann@mail.example' } };
      },
    });
    await findHeading('Confirm your address');
    expect(asked).toEqual([]);
    confirm();
    await findHeading('Your address is confirmed');
    expect(screen.getByText('ann@mail.example')).toBeDefined();
    expect(bodies).toEqual([{ token: TOKEN }]);
    const link = screen.getByRole('link', { name: 'Notification Settings' });
    expect(link.getAttribute('href')).toBe('/preferences#notification-settings');
  });

  test('says that a link was used', async () => {
    open({ [VERIFY]: refuse(409, 'link_used') });
    confirm();
    await findHeading('This link was used already');
  });

  test('says why a link does not work', async () => {
    open({ [VERIFY]: refuse(400, 'link_invalid', 'A newer one was sent.') });
    confirm();
    await findHeading('This link does not work');
    expect(screen.getByText('A newer one was sent.')).toBeDefined();
  });

  test('sends another link in place of an expired one', async () => {
    const { answers } = open({ [VERIFY]: refuse(410, 'link_expired') });
    confirm();
    await findHeading('This link has expired');
    answers[RESEND] = refuse(429, 'rate_limited', 'We have sent enough mail for today.');
    press('Send Another Link');
    expect(await screen.findByText('We have sent enough mail for today.')).toBeDefined();
    expect(heading()).toBe('This link has expired');
    answers[RESEND] = { status: 202, json: { address: 'ann@mail.example' } };
    press('Send Another Link');
    await findHeading('We sent another link');
  });

  test('keeps its button when the call fails', async () => {
    open({ [VERIFY]: { status: 503 } });
    confirm();
    expect(await screen.findByText('Your address could not be confirmed. Please try again.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Confirm This Address' })).toBeDefined();
  });

  test('without a token says that the link is not complete', async () => {
    show({}, '/verify-email');
    await findHeading('This link is not complete');
  });
});

describe('the unsubscribe page', () => {
  const READ = `GET /api/unsubscribe?token=${TOKEN}`;
  const WRITE = 'POST /api/unsubscribe';
  const ON: Subscription = { kind: 'price_drop', isOn: true, isPaused: false };

  const open = (initial: Subscription) => {
    let now = initial;
    return show(
      {
        [READ]: () => ({ json: now }),
        [WRITE]: async (request) => {
          const { what, isOn } = (await request.json()) as { what: string; isOn: boolean };
          now = { ...now, ...(what === 'kind' ? { isOn } : { isPaused: !isOn }) };
          return { json: now };
        },
      },
      `/unsubscribe?token=${TOKEN}`,
    );
  };

  test('says from which kind, changes nothing by itself, unsubscribes and undoes it', async () => {
    const { asked } = open(ON);
    await findHeading('Stop e-mail about “Lower prices of saved ads”?');
    expect(asked).toEqual([READ]);
    press('Unsubscribe');
    await findHeading('E-mail about “Lower prices of saved ads” is off');
    press('Undo');
    await findHeading('Stop e-mail about “Lower prices of saved ads”?');
  });

  test('unsubscribes from all e-mail and undoes it', async () => {
    open(ON);
    await findHeading('Stop e-mail about “Lower prices of saved ads”?');
    press('Unsubscribe From All Mail');
    await findHeading('You get no more e-mail from Tradepost');
    press('Undo');
    await findHeading('Stop e-mail about “Lower prices of saved ads”?');
  });

  test('of a kind that is off already offers to turn it on again', async () => {
    open({ ...ON, isOn: false });
    await findHeading('E-mail about “Lower prices of saved ads” is off');
    press('Turn On Again');
    await findHeading('Stop e-mail about “Lower prices of saved ads”?');
  });

  test('says why a link does not work', async () => {
    show({ [READ]: refuse(410, 'link_expired', 'This link has expired.') }, `/unsubscribe?token=${TOKEN}`);
    await findHeading('This link does not work');
    expect(screen.getByText('This link has expired.')).toBeDefined();
  });

  test('after a failed read offers another try', async () => {
    const { answers } = show({ [READ]: { status: 503 } }, `/unsubscribe?token=${TOKEN}`);
    expect(await screen.findByText('Failed to load your subscription')).toBeDefined();
    answers[READ] = { json: ON };
    press('Try again');
    await findHeading('Stop e-mail about “Lower prices of saved ads”?');
  });

  test('without a token says that the link is not complete', async () => {
    show({}, '/unsubscribe');
    await findHeading('This link is not complete');
  });
});

describe('the page of a ban', () => {
  const READ = `GET /api/ban?token=${TOKEN}`;
  const APPEAL = 'POST /api/ban/appeal';
  const ban = sampleDecision({ action: 'ban', targetType: 'user', title: null, url: null, appealUntil: null });

  test('says why, and sends an appeal by the link', async () => {
    let now: Decision = ban;
    const bodies: unknown[] = [];
    const open = { text: 'Mine', createdAt: '2026-01-05T10:00:00.000Z', status: 'open', note: null } as const;
    show(
      {
        [READ]: () => ({ json: now }),
        [APPEAL]: async (request) => {
          bodies.push(await request.json());
          now = { ...ban, canAppeal: false, appeal: open };
          return { status: 201, json: now };
        },
      },
      `/ban?token=${TOKEN}`,
    );
    await screen.findByRole('heading', { name: 'We banned your account' });
    press('Appeal this decision');
    fireEvent.change(screen.getByLabelText('Why is the decision wrong?'), { target: { value: 'Mine' } });
    press('Send Appeal');
    await screen.findByText('Appeal under review');
    expect(bodies).toEqual([{ token: TOKEN, text: 'Mine' }]);
  });

  test('says what is wrong with a link', async () => {
    show({ [READ]: refuse(410, 'link_expired', 'This link has expired.') }, `/ban?token=${TOKEN}`);
    await findHeading('This link does not work');
  });

  test('asks for the whole link', async () => {
    show({}, '/ban');
    await findHeading('This link is not complete');
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeDefined();
  });
});
