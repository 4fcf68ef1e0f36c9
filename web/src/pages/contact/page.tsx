import { CircleHelp, Mail, Wrench } from 'lucide-react';
import { Link } from 'react-router-dom';
import { PageHead } from '../../features/prose/page-head.tsx';
import { useSiteEnv } from '../../features/site/site-env.ts';
import { Card } from '../../ui/card.tsx';
import { ContactForm } from './contact-form.tsx';

export const ContactPage = () => (
  <div className="container-page py-8 md:py-12">
    <PageHead title="Contact Us">Questions, problems, ideas: write to us, we answer within 24 hours.</PageHead>
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
  const { supportEmail } = useSiteEnv();
  return (
    <Card>
      <h2 className="text-lg font-semibold">Get in Touch</h2>
      <ul className="mt-4 grid gap-4 [&_svg]:mt-0.5 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-primary">
        <li className="flex gap-3">
          <Mail aria-hidden="true" />
          <p>
            <span className="block font-medium">Email support</span>
            <a href={`mailto:${supportEmail}`} className="break-all text-primary underline underline-offset-4">
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
    <h2 className="text-lg font-semibold">Quick Help</h2>
    <ul className="mt-3 grid gap-1">
      {LINKS.map(([to, label]) => (
        <li key={to}>
          <Link to={to} className="inline-flex min-h-9 items-center text-primary underline-offset-4 hover:underline">
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);
