import type { SendMailOptions, Transporter } from 'nodemailer';
import { shorten } from '../../../contract/text.ts';
import type { Config } from '../../config/load.ts';

export interface EmailMessage {
  /** The name of the sender. Default: SITE_NAME. */
  from?: string;
  to: string;
  replyTo?: { name: string; address: string };
  subject: string;
  text: string;
  html?: string;
  /** Without the angle brackets. Default: a random one. */
  messageId?: string;
  /** For mail of which there is one per kind: List-Id, List-Unsubscribe and List-Unsubscribe-Post (RFC 8058). */
  list?: { id: string; name: string; unsubscribeUrl: string };
  /** No person wrote it: out-of-office programs must not respond. */
  isAutomatic?: boolean;
}

/**
 * What a failed attempt means. `temporary`: a later attempt may succeed. `recipient`: this address takes no mail, for
 * good. `message`: the server refuses this message for good, perhaps not the next one.
 */
export type MailFailure = 'temporary' | 'recipient' | 'message';

export class MailError extends Error {
  readonly failure: MailFailure;
  constructor(failure: MailFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailError';
    this.failure = failure;
  }
}

export interface Mailer {
  readonly isEnabled: boolean;
  /** Resolves once the mail server has accepted the message. @throws {MailError} at the latest after MAIL_TIMEOUT_S */
  send(message: EmailMessage): Promise<void>;
  close(): void;
}

/** A mail server that goes on talking does not keep a worker for longer. */
export const MAIL_TIMEOUT_S = 60;

/** Longest line of a subject or a name: longer ones are cut. */
const MAX_HEADER = 150;

/** One line for a header: no control characters, line breaks or marks that reverse the text, and cut at a length. */
export function toHeaderText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').replace(/[\p{Bidi_Control}\p{Cs}]/gu, '');
  return shorten(line.trim(), MAX_HEADER);
}

interface SmtpFailure {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/**
 * Reads the response of a mail server (RFC 5321, RFC 3463). A refusal for good concerns the recipient if its enhanced
 * code is about the address (5.1) or the mailbox (5.2); without such a code, if it is the response to the recipient or
 * says that there is no such mailbox. Everything about policy, connection or sign-in is the site's own business.
 */
export function classifyMailFailure(error: SmtpFailure): MailFailure {
  const { code, command, response = '', responseCode = 0 } = error;
  if (responseCode < 500) return code === 'EENVELOPE' && responseCode === 0 ? 'message' : 'temporary';
  if (code === 'EAUTH' || code === 'ECONNECTION' || responseCode === 530 || responseCode === 535) return 'temporary';
  const enhanced = /^\d{3}[ -]5\.(\d{1,3})\.(\d{1,3})\b/.exec(response);
  // 5.1.7 and 5.1.8 are about the sender; 5.2.2 is a full mailbox, 5.2.3 a message that is too long
  if (enhanced) return /^(1\.(?![78]$)|2\.(?![23]$))/.test(`${enhanced[1]}.${enhanced[2]}`) ? 'recipient' : 'message';
  if (command === 'RCPT TO') return [550, 551, 553, 556].includes(responseCode) ? 'recipient' : 'message';
  return responseCode === 550 && command === 'DATA' ? 'recipient' : 'message';
}

const toMailError = (error: unknown): MailError => {
  const failure = classifyMailFailure(error as SmtpFailure);
  const { response, message } = error as SmtpFailure & Error;
  return new MailError(failure, response ?? message, { cause: error });
};

const toHeaders = ({ isAutomatic, list }: EmailMessage): SendMailOptions['headers'] => ({
  ...(isAutomatic && { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }),
  ...(list && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

const toOptions = (from: { name: string; address: string }, message: EmailMessage): SendMailOptions => {
  const { to, replyTo, subject, text, html, messageId, list } = message;
  return {
    from,
    to: { name: '', address: to },
    ...(replyTo && { replyTo: { ...replyTo, name: toHeaderText(replyTo.name) } }),
    subject: toHeaderText(subject),
    text,
    ...(html !== undefined && { html }),
    ...(messageId !== undefined && { messageId: `<${messageId}>` }),
    ...(list && { list: { id: { url: list.id, comment: toHeaderText(list.name) }, unsubscribe: list.unsubscribeUrl } }),
    headers: toHeaders(message),
    signal: AbortSignal.timeout(MAIL_TIMEOUT_S * 1000),
  };
};

/** Mail by SMTP_URL, from SUPPORT_EMAIL, over at most MAIL_CONNECTIONS connections. */
export function createMailer({ smtpUrl, siteName, supportEmail, mailConnections }: Config): Mailer {
  if (smtpUrl === undefined)
    return {
      isEnabled: false,
      send: () => Promise.reject(new MailError('temporary', 'SMTP_URL is not set', { cause: {} })),
      close() {},
    };
  const times = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  // a message whose connection was lost may have been sent: only its job decides about another attempt
  const pool = { pool: true as const, maxConnections: mailConnections, maxRequeues: 0 };
  let transporter: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url: smtpUrl, disableFileAccess: true, disableUrlAccess: true, ...pool, ...times });
  };
  return {
    isEnabled: true,
    async send(message) {
      transporter ??= open();
      const transport = await transporter;
      const from = { name: message.from ?? siteName, address: supportEmail };
      await transport.sendMail(toOptions(from, message)).catch((error: unknown) => {
        throw toMailError(error);
      });
    },
    close() {
      transporter?.then(
        (transport) => transport.close(),
        () => {},
      );
    },
  };
}
