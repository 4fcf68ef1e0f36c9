import { CircleHelp, type LucideIcon, Mail, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { sendContact } from '../../../contract/contact.ts';
import { t } from '../../../contract/i18n.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { apiRequest, getErrorMessage } from '../api/client.ts';
import type { ProblemType } from '../api/form-schema.ts';
import { useSession } from '../api/session.ts';
import { useApiForm } from '../api/use-api-form.ts';
import { useFormValues } from '../api/use-form-values.ts';
import { Html, Sections, StaticPage } from '../features/static-pages/prose.tsx';
import { getForeign, usePageText } from '../features/static-pages/use-page-text.ts';
import { useSiteConfig } from '../lib/site-config.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Skeleton, Spinner } from '../ui/feedback.tsx';
import { Field, Input, Textarea } from '../ui/form-controls.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { useToast } from '../ui/toast/toast.tsx';
import { useCharacterCount } from '../ui/use-character-count.ts';

export const ContactPage = () => {
  const query = usePageText('contact');
  return (
    <StaticPage
      title={t('shell.titleContact')}
      intro={
        // the form works without it
        query.data ? (
          <div {...getForeign(query.data)}>
            <Html html={query.data.intro} />
          </div>
        ) : query.error ? null : (
          <Skeleton className="h-7 w-full" />
        )
      }
    >
      <div className="grid gap-6 lg:grid-cols-[7fr_5fr]">
        <ContactForm isPromised={query.data?.isBuiltIn === true} />
        <div className="grid content-start gap-4">
          <GetInTouch />
          <QuickHelp />
        </div>
      </div>
      {query.data?.sections.length ? (
        <div className="mt-12" {...getForeign(query.data)}>
          <Sections sections={query.data.sections} />
        </div>
      ) : null}
    </StaticPage>
  );
};

const GetInTouch = () => {
  const { supportEmail } = useSiteConfig();
  return (
    <Card>
      <h2 className="card-heading">{t('contact.getInTouch')}</h2>
      <ul className="mt-4 grid gap-4 [&_svg]:mt-0.5 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-primary">
        <Topic icon={Mail} title={t('contact.emailSupport')}>
          <a href={`mailto:${supportEmail}`} className="prose-link break-all">
            {supportEmail}
          </a>
        </Topic>
        <Topic icon={CircleHelp} title={t('contact.general')}>
          <span className="text-muted-foreground">{t('contact.generalText')}</span>
        </Topic>
        <Topic icon={Wrench} title={t('contact.technical')}>
          <span className="text-muted-foreground">{t('contact.technicalText')}</span>
        </Topic>
      </ul>
    </Card>
  );
};

const Topic = ({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) => (
  <li className="flex gap-3">
    <Icon />
    <p>
      <span className="block font-medium">{title}</span>
      {children}
    </p>
  </li>
);

const LINKS = [
  ['/safety-tips', 'shell.safetyTips'],
  ['/how-it-works', 'shell.howItWorks'],
  ['/terms-of-service', 'shell.termsOfService'],
] as const;

const QuickHelp = () => (
  <Card>
    <h2 className="card-heading">{t('contact.quickHelp')}</h2>
    <ul className="mt-3 grid gap-1">
      {LINKS.map(([to, label]) => (
        <li key={to}>
          <Link to={to} className="inline-flex min-h-9 items-center text-link">
            {t(label)}
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);

interface ContactValues {
  name: string;
  email: string;
  subject: string;
  message: string;
  website: string;
}

interface ContactFieldProps {
  form: UseFormReturn<ContactValues>;
  label: string;
  name: keyof ContactValues;
  max: number;
  type?: 'text' | 'email';
  autoComplete?: string;
  rows?: number;
}

const ContactField = ({ form, label, name, max, type, rows, autoComplete }: ContactFieldProps) => {
  const [text] = useFormValues(form, name);
  const room = useCharacterCount(text, max);
  return (
    <Field label={label} required error={form.formState.errors[name]?.message} {...room.field}>
      {rows ? (
        <Textarea rows={rows} {...form.register(name)} />
      ) : (
        <Input type={type} autoComplete={autoComplete} {...form.register(name)} />
      )}
    </Field>
  );
};

const toContactMessage = (_field: string, message: string, type: ProblemType): string =>
  type === 'required' ? t('contact.fillField') : message;

interface ContactFormProps {
  /** Whether the page promises an answer as its built-in text does. */
  isPromised: boolean;
}

/** Sends a message to the operator. A retry with the same text is delivered once. */
export const ContactForm = ({ isPromised }: ContactFormProps) => {
  const { user } = useSession();
  const toast = useToast();
  const saved = { name: user?.displayName ?? '', email: user?.email ?? '', subject: '', message: '', website: '' };
  const apiForm = useApiForm<ContactValues>({ endpoint: sendContact, toMessage: toContactMessage, saved });
  const { form, submitRef, isSending } = apiForm;

  const handleSubmit = apiForm.createSubmit({
    send: (body, { idempotencyKey }) => apiRequest(sendContact, { body, idempotencyKey }),
    onSent: () => {
      apiForm.restart(saved);
      toast({
        title: t('contact.sent'),
        description: isPromised ? t('contact.sentText') : undefined,
      });
    },
    onRefused: (error) => toast.error(getErrorMessage(error, t('contact.failedText')), t('contact.failed')),
    onInvalid: (errors) => {
      if (Object.values(errors).some((error) => error?.type === 'required'))
        toast.error(t('contact.missingText'), t('contact.missing'));
    },
  });

  return (
    <Card>
      <LeaveGuard
        isChanged={() => !isSending && apiForm.isChanged()}
        isUnsaved={apiForm.isUnsaved}
        text={t('contact.unsent')}
      />
      <form noValidate onSubmit={handleSubmit} className="grid gap-4">
        <fieldset disabled={isSending} className="contents">
          <div className="grid gap-4 sm:grid-cols-2">
            <ContactField
              form={form}
              label={t('contact.name')}
              name="name"
              max={LIMITS.contactName}
              autoComplete="name"
            />
            <ContactField
              form={form}
              label={t('contact.email')}
              name="email"
              max={LIMITS.contactEmail}
              type="email"
              autoComplete="email"
            />
          </div>
          <ContactField form={form} label={t('contact.subject')} name="subject" max={LIMITS.contactSubject} />
          <ContactField form={form} label={t('contact.message')} name="message" max={LIMITS.contactMessage} rows={6} />
          <div aria-hidden="true" className="absolute -start-[9999px]">
            <label>
              {t('contact.website')} <input tabIndex={-1} autoComplete="off" {...form.register('website')} />
            </label>
          </div>
        </fieldset>
        <Button ref={submitRef} type="submit" busy={isSending} className="justify-self-start">
          {isSending ? <Spinner /> : null} {t('contact.send')}
        </Button>
      </form>
    </Card>
  );
};
