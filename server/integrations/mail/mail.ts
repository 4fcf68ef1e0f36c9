import type { Transporter } from 'nodemailer';
import type { Config } from '../../config/load.ts';

export interface EmailMessage {
  to: string;
  replyTo?: { name: string; address: string };
  subject: string;
  text: string;
}

export interface Mailer {
  /** False where no mail server is configured: nothing can be sent. */
  readonly isOn: boolean;
  /** Hands a letter to the mail server; resolves once it has accepted it, throws when it does not within 30 s. */
  send(letter: EmailMessage): Promise<void>;
  close(): void;
}

/** Mail by SMTP_URL, from SUPPORT_EMAIL. nodemailer encodes headers, so that no line break of a subject becomes one. */
export function createMailer({ smtpUrl, siteName, supportEmail }: Config): Mailer {
  if (smtpUrl === undefined)
    return {
      isOn: false,
      send: () => Promise.reject(new Error('SMTP_URL is not set')),
      close() {},
    };
  const times = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  let opened: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url: smtpUrl, disableFileAccess: true, disableUrlAccess: true, ...times });
  };
  return {
    isOn: true,
    async send(letter) {
      opened ??= open();
      const transport = await opened;
      await transport.sendMail({ from: { name: siteName, address: supportEmail }, ...letter });
    },
    close() {
      opened?.then(
        (transport) => transport.close(),
        () => {},
      );
    },
  };
}
