import { type FormEvent, useRef, useState } from 'react';
import { sendContact } from '../../../../contract/contact.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { call, createKey } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';

const NAMES = ['name', 'email', 'subject', 'message'] as const;
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

/** Writes to the operator. A second try of the same words arrives once. */
export const ContactForm = () => {
  const { user } = useSession();
  const toast = useToast();
  const tryKey = useRef<string>(undefined);
  const [errors, setErrors] = useState<Errors>({});
  const [isSending, setSending] = useState(false);
  const submit = useRef<HTMLButtonElement>(null);

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
      (element.elements.namedItem(first) as HTMLElement | null)?.focus();
      return toast({ title: 'Missing Information', description: 'Please fill in all fields.', variant: 'destructive' });
    }
    tryKey.current ??= createKey();
    // What would be written from here on is not sent: so the fields are disabled, and one may hold the focus.
    submit.current?.focus();
    setSending(true);
    try {
      await call(sendContact, { body, idempotencyKey: tryKey.current });
      element.reset();
      tryKey.current = undefined;
      toast({ title: 'Message Sent Successfully', description: "We'll get back to you within 24 hours." });
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.reply?.fields ?? {});
      const description = messageOf(error, 'Please try again later.');
      toast({ title: 'Failed to Send Message', description, variant: 'destructive' });
    } finally {
      setSending(false);
    }
  };
  const handleChange = () => {
    tryKey.current = undefined;
  };

  return (
    <Card>
      <form noValidate onSubmit={handleSubmit} onChange={handleChange} className="grid gap-4">
        <fieldset disabled={isSending} className="contents">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Full Name" required error={errors.name}>
              <Input
                name="name"
                autoComplete="name"
                maxLength={LIMITS.contactName}
                defaultValue={user?.displayName ?? ''}
              />
            </Field>
            <Field label="Email Address" required error={errors.email}>
              <Input
                name="email"
                type="email"
                autoComplete="email"
                maxLength={LIMITS.contactEmail}
                defaultValue={user?.email ?? ''}
              />
            </Field>
          </div>
          <Field label="Subject" required error={errors.subject}>
            <Input name="subject" maxLength={LIMITS.contactSubject} />
          </Field>
          <Field label="Message" required error={errors.message}>
            <Textarea name="message" rows={6} maxLength={LIMITS.contactMessage} />
          </Field>
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
