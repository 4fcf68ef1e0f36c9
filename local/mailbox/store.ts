import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParsedMail } from 'mailparser';

/** Older mails are deleted. */
const MAX_MAILS = 500;

export interface Mail {
  /** Ascending in the order of arrival. */
  id: number;
  /** The mail as it arrived. */
  source: Buffer;
}

export interface MailStore {
  /** Newest first. */
  list(): Mail[];
  find(id: number): Mail | undefined;
  add(source: Buffer): void;
  clear(): void;
}

/** Mails in the files `<id>.eml` of a folder, so that they survive a restart and open in any mail program. */
export const createMailStore = (directory: string): MailStore => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const toPath = (id: number) => join(directory, `${id}.eml`);
  let mails: Mail[] = readdirSync(directory)
    .flatMap((name) => /^(\d+)\.eml$/.exec(name)?.[1] ?? [])
    .map((id) => ({ id: Number(id), source: readFileSync(toPath(Number(id))) }))
    .toSorted((a, b) => b.id - a.id);
  const remove = (removed: readonly Mail[]): void => {
    for (const { id } of removed) rmSync(toPath(id), { force: true });
    mails = mails.filter((mail) => !removed.includes(mail));
  };
  let lastId = mails[0]?.id ?? 0;
  return {
    list: () => mails,
    find: (wanted) => mails.find(({ id }) => id === wanted),
    add(source) {
      const mail = { id: ++lastId, source };
      writeFileSync(toPath(mail.id), source, { mode: 0o600 });
      mails = [mail, ...mails];
      remove(mails.slice(MAX_MAILS));
    },
    clear: () => remove(mails),
  };
};

export interface ReadMail {
  id: number;
  from: string;
  to: string;
  subject: string;
  date: Date | undefined;
  text: string;
  /** Null for a mail without an HTML part. */
  html: string | null;
  /** Every header as it arrived, in order, unfolded. */
  headers: readonly (readonly [name: string, value: string])[];
}

const toAddresses = (field: ParsedMail['to']): string =>
  (Array.isArray(field) ? field : field ? [field] : []).map(({ text }) => text).join(', ');

export const readMail = async ({ id, source }: Mail): Promise<ReadMail> => {
  // loaded with the first mail that someone reads
  const { simpleParser } = await import('mailparser');
  const { from, to, subject, date, text, html, headerLines } = await simpleParser(source, { skipTextToHtml: true });
  return {
    id,
    from: from?.text ?? '',
    to: toAddresses(to),
    subject: subject ?? '',
    date,
    text: text ?? '',
    html: html || null,
    headers: headerLines.map(({ line }) => {
      const colon = line.indexOf(':');
      return [
        line.slice(0, colon),
        line
          .slice(colon + 1)
          .replace(/\r?\n[ \t]+/g, ' ')
          .trim(),
      ];
    }),
  };
};
