import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PageText } from '../../../../contract/page-texts.ts';
import { ContactPage } from '../../pages/contact.tsx';
import { HowItWorksPage } from '../../pages/how-it-works.tsx';
import { PrivacyPage } from '../../pages/privacy.tsx';
import { SafetyTipsPage } from '../../pages/safety-tips.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';

const text = (fields: Partial<PageText> & Pick<PageText, 'page'>): PageText => ({
  language: 'en',
  isBuiltIn: false,
  updated: null,
  intro: '<p>Hello</p>',
  sections: [
    { id: 'section-one', title: 'One', html: '<p>See <a href="/ads/1"><strong>it</strong></a></p>', parts: [] },
    { id: 'section-two', title: 'Two', html: '', parts: [{ title: 'Part', html: '<p>of two</p>' }] },
  ],
  ...fields,
});

const open = (page: PageText, element: React.ReactElement) =>
  renderAt({
    routes: [
      { path: '/', element },
      { path: '/ads/1', element: <p>the ad</p> },
    ],
    boot: { data: { [`/api/pages/${page.page}?language=en`]: page } },
  });

test.each([
  ['2025-01', 'Last updated: January 2025'],
  ['2026-11-26', 'Last updated: Nov 26, 2026'],
])('%s reads “%s”', (updated, line) => {
  open(text({ page: 'privacy', updated }), <PrivacyPage />);
  expect(screen.getByText(line)).toBeDefined();
});

test('a text in another language than the page says so', () => {
  open({ ...text({ page: 'privacy' }), language: 'de' }, <PrivacyPage />);
  expect(screen.getByText('Hello').closest('[lang]')?.getAttribute('lang')).toBe('de');
  expect(screen.getByText('of two').closest('[lang]')?.getAttribute('lang')).toBe('de');
  expect(screen.getByRole('heading', { level: 1 }).closest('[lang]')).toBeNull();
});

test('a plain click on a link to a page of the site opens it without loading the site again', async () => {
  open(text({ page: 'privacy' }), <PrivacyPage />);
  const link = screen.getByText('it');
  expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
  expect(fireEvent.click(link)).toBe(false);
  expect(await screen.findByText('the ad')).toBeDefined();
});

test('sections of the privacy page are numbered and listed', () => {
  open(text({ page: 'privacy' }), <PrivacyPage />);
  const list = within(screen.getByRole('navigation', { name: 'On this page' }));
  expect(list.getByText('2. Two').getAttribute('href')).toBe('#section-two');
  expect(within(screen.getByRole('region', { name: '2. Two' })).getByText('of two')).toBeDefined();
});

test('a text of administrators has its sections below each other, whatever the built-in one has', () => {
  const { unmount } = open(text({ page: 'safety-tips' }), <SafetyTipsPage />);
  expect(screen.getByRole('region', { name: 'One' })).toBeDefined();
  unmount();
  open(text({ page: 'how-it-works' }), <HowItWorksPage />);
  expect(screen.getByRole('region', { name: 'Two' })).toBeDefined();
  expect(screen.getByText('Post Your First Ad')).toBeDefined();
});

test('a contact page with a text of its own promises no 24 hours', async () => {
  fakeApi({ 'POST /api/contact': { status: 202, json: { received: true } } });
  open(text({ page: 'contact' }), <ContactPage />);
  for (const label of ['Full Name', 'Email Address', 'Subject', 'Message'])
    fireEvent.change(screen.getByRole('textbox', { name: new RegExp(label) }), { target: { value: 'a@b.example' } });
  fireEvent.click(screen.getByText('Send Message'));
  expect(await screen.findByText('Message Sent Successfully')).toBeDefined();
  expect(screen.queryByText(/24 hours/)).toBeNull();
});
