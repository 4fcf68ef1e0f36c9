import type { Transporter } from 'nodemailer';
import type { Config } from '../../config/load.ts';

export interface EmailMessage {
  to: string;
  replyTo?: { name: string; address: string };
  subject: string;
  text: string;
}

export interface Mailer {
  readonly isEnabled: boolean;
  /** Resolves once the mail server has accepted the message; rejects after 30 s. */
  send(message: EmailMessage): Promise<void>;
  close(): void;
}

/** Mail by SMTP_URL, from SUPPORT_EMAIL. nodemailer encodes headers, so a line break in a subject adds no header. */
export function createMailer({ smtpUrl, siteName, supportEmail }: Config): Mailer {
  if (smtpUrl === undefined)
    return {
      isEnabled: false,
      send: () => Promise.reject(new Error('SMTP_URL is not set')),
      close() {},
    };
  const times = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  let transporter: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url: smtpUrl, disableFileAccess: true, disableUrlAccess: true, ...times });
  };
  return {
    isEnabled: true,
    async send(message) {
      transporter ??= open();
      const transport = await transporter;
      await transport.sendMail({ from: { name: siteName, address: supportEmail }, ...message });
    },
    close() {
      transporter?.then(
        (transport) => transport.close(),
        () => {},
      );
    },
  };
}
