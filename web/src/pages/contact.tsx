import { CircleHelp, Mail, Wrench } from 'lucide-react';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { sendContact } from '../../../contract/contact.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { countCharacters } from '../../../contract/text.ts';
import { ApiError, apiRequest, createKey, getErrorMessage } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useSiteConfig } from '../app/startup/page-title.tsx';
import { PageHeader } from '../features/static-pages/prose.tsx';
import { useCharacterCount } from '../hooks/use-character-count.ts';
import { useFocusFirstError } from '../hooks/use-focus-first-error.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Spinner } from '../ui/feedback.tsx';
import { Field, Input, Textarea } from '../ui/form-controls.tsx';
import { useToast } from '../ui/toast/toast-context.ts';

export const ContactPage = () => (
  <div className="container-page py-8 md:py-12">
    <PageHeader title="Contact Us">Questions, problems, ideas: write to us, we answer within 24 hours.</PageHeader>
    <div className="grid gap-6 lg:grid-cols-[7fr_5fr]">
      <ContactForm />
      <div className="grid content-start gap-4">
        <GetInTouch />
        <QuickHelp />
      </div>
    </div>
  </div>
);

const GetInTouch = () => {
  const { supportEmail } = useSiteConfig();
  return (
    <Card>
      <h2 className="card-heading">Get in Touch</h2>
      <ul className="mt-4 grid gap-4 [&_svg]:mt-0.5 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-primary">
        <li className="flex gap-3">
          <Mail aria-hidden="true" />
          <p>
            <span className="block font-medium">Email support</span>
            <a href={`mailto:${supportEmail}`} className="prose-link break-all">
              {supportEmail}
            </a>
          </p>
        </li>
        <li className="flex gap-3">
          <CircleHelp aria-hidden="true" />
          <p>
            <span className="block font-medium">General questions</span>
            <span className="text-muted-foreground">Posting, buying, your account</span>
          </p>
        </li>
        <li className="flex gap-3">
          <Wrench aria-hidden="true" />
          <p>
            <span className="block font-medium">Technical issues</span>
            <span className="text-muted-foreground">Tell us what you did and what you saw</span>
          </p>
        </li>
      </ul>
    </Card>
  );
};

const LINKS = [
  ['/safety-tips', 'Safety Tips'],
  ['/how-it-works', 'How it Works'],
  ['/terms-of-service', 'Terms of Service'],
] as const;

const QuickHelp = () => (
  <Card>
    <h2 className="card-heading">Quick Help</h2>
    <ul className="mt-3 grid gap-1">
      {LINKS.map(([to, label]) => (
        <li key={to}>
          <Link to={to} className="inline-flex min-h-9 items-center text-link">
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);

interface ContactFieldProps {
  label: string;
  name: string;
  max: number;
  error: string | undefined;
  type?: 'text' | 'email';
  autoComplete?: string;
  defaultValue?: string;
  /** As many make it a field of several lines. */
  rows?: number;
}

/** A field of the contact form, which tells how much room is left once its end is near. */
export const ContactField = ({ label, max, error, type, rows, ...control }: ContactFieldProps) => {
  const [text, setText] = useState(control.defaultValue ?? '');
  const room = useCharacterCount(text, max);
  const handleChange = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setText(event.target.value);
  return (
    <Field label={label} required error={error} {...room.field}>
      {rows ? (
        <Textarea {...control} rows={rows} onChange={handleChange} />
      ) : (
        <Input {...control} type={type} onChange={handleChange} />
      )}
    </Field>
  );
};

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
  const leadToFault = useFocusFirstError(submit);

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
      return toast.error('Please fill in all fields.', 'Missing Information');
    }
    const tooLong = NAMES.find((name) => countCharacters(body[name]) > MAX[name]);
    // Its field says so already.
    if (tooLong) return focusField(element, tooLong);
    tryKey.current ??= createKey();
    // What would be written from here on is not sent: so the fields are disabled, and one may hold the focus.
    submit.current?.focus();
    setSending(true);
    try {
      await apiRequest(sendContact, { body, idempotencyKey: tryKey.current });
      setSent((count) => count + 1);
      tryKey.current = undefined;
      toast({ title: 'Message Sent Successfully', description: "We'll get back to you within 24 hours." });
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.reply?.fields ?? {});
      leadToFault();
      const description = getErrorMessage(error, 'Please try again later.');
      toast.error(description, 'Failed to Send Message');
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
