import { type FormEvent, useRef, useState } from 'react';
import { sendContact } from '../../../../contract/contact.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { countCharacters } from '../../../../contract/text.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { call, createKey } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useLeadToFault } from '../../lib/use-lead-to-fault.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { ContactField } from './contact-field.tsx';

const NAMES = ['name', 'email', 'subject', 'message'] as const;
const MAX = {
  name: LIMITS.contactName,
  email: LIMITS.contactEmail,
  subject: LIMITS.contactSubject,
  message: LIMITS.contactMessage,
};
type Errors = Partial<Record<(typeof NAMES)[number], string>>;

const readForm = (form: FormData) => {
  const value = (name: string) => String(form.get(name) ?? '').trim();
  return {
    name: value('name'),
    email: value('email'),
    subject: value('subject'),
    message: value('message'),
    website: value('website'),
  };
};

const focusField = (form: HTMLFormElement, name: string): void =>
  (form.elements.namedItem(name) as HTMLElement | null)?.focus();

/** Writes to the operator. A second try of the same words arrives once. */
export const ContactForm = () => {
  const { user } = useSession();
  const toast = useToast();
  const tryKey = useRef<string>(undefined);
  const [errors, setErrors] = useState<Errors>({});
  const [isSending, setSending] = useState(false);
  const [sent, setSent] = useState(0);
  const submit = useRef<HTMLButtonElement>(null);
  const leadToFault = useLeadToFault(submit);

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const body = readForm(new FormData(element));
    const missing = Object.fromEntries(
      NAMES.filter((name) => !body[name]).map((name) => [name, 'Please fill in this field.']),
    );
    setErrors(missing);
    const first = NAMES.find((name) => missing[name]);
    if (first) {
      focusField(element, first);
      return toast({ title: 'Missing Information', description: 'Please fill in all fields.', variant: 'destructive' });
    }
    const tooLong = NAMES.find((name) => countCharacters(body[name]) > MAX[name]);
    // Its field says so already.
    if (tooLong) return focusField(element, tooLong);
    tryKey.current ??= createKey();
    // What would be written from here on is not sent: so the fields are disabled, and one may hold the focus.
    submit.current?.focus();
    setSending(true);
    try {
      await call(sendContact, { body, idempotencyKey: tryKey.current });
      setSent((count) => count + 1);
      tryKey.current = undefined;
      toast({ title: 'Message Sent Successfully', description: "We'll get back to you within 24 hours." });
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.reply?.fields ?? {});
      leadToFault();
      const description = messageOf(error, 'Please try again later.');
      toast({ title: 'Failed to Send Message', description, variant: 'destructive' });
    } finally {
      setSending(false);
    }
  };
  const handleChange = () => {
    tryKey.current = undefined;
  };
  const about = (name: (typeof NAMES)[number]) => ({ name, max: MAX[name], error: errors[name] });

  return (
    <Card>
      <form noValidate onSubmit={handleSubmit} onChange={handleChange} className="grid gap-4">
        <fieldset key={sent} disabled={isSending} className="contents">
          <div className="grid gap-4 sm:grid-cols-2">
            <ContactField
              label="Full Name"
              {...about('name')}
              autoComplete="name"
              defaultValue={user?.displayName ?? ''}
            />
            <ContactField
              label="Email Address"
              {...about('email')}
              type="email"
              autoComplete="email"
              defaultValue={user?.email ?? ''}
            />
          </div>
          <ContactField label="Subject" {...about('subject')} />
          <ContactField label="Message" {...about('message')} rows={6} />
          <div aria-hidden="true" className="absolute -left-[9999px]">
            <label>
              Website <input name="website" tabIndex={-1} autoComplete="off" />
            </label>
          </div>
        </fieldset>
        <Button ref={submit} type="submit" busy={isSending} className="justify-self-start">
          {isSending ? <Spinner /> : null} Send Message
        </Button>
      </form>
    </Card>
  );
};
