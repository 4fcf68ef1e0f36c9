import { type BrowserContext, expect, type Page } from '@playwright/test';
import type { ReadMail } from '../../local/mailbox/store.ts';

const mailboxUrl = (): string => process.env.E2E_MAILBOX ?? '';

/** The mails to this address, oldest first. */
export const listMails = async (to: string): Promise<ReadMail[]> => {
  const mails: ReadMail[] = await (await fetch(`${mailboxUrl()}/api/mails`)).json();
  return mails.filter((mail) => mail.to === to).toReversed();
};

/** Waits for a mail with this subject and returns the newest. */
export const receiveMail = async (to: string, subject: string): Promise<ReadMail> => {
  let found: ReadMail | undefined;
  await expect(async () => {
    const mails = await listMails(to);
    found = mails.findLast((mail) => mail.subject === subject);
    expect(mails.map((mail) => mail.subject)).toContain(subject);
  }).toPass();
  return found!;
};

export const readHeader = ({ headers }: ReadMail, name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1];

/** Reads a mail in a tab of its own and opens one of its links there. */
export const followLink = async (context: BrowserContext, { id }: ReadMail, label: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(`${mailboxUrl()}/mails/${id}`);
  const link = page.frameLocator('iframe').getByRole('link', { name: label, exact: true });
  await page.goto((await link.getAttribute('href')) ?? '');
  return page;
};
