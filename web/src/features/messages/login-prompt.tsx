import { MessageCircle } from 'lucide-react';
import { signInUrl } from '../../api/session.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/feedback.tsx';

export const LoginPrompt = () => (
  <EmptyState
    icon={MessageCircle}
    heading="h1"
    title="Please log in"
    text="Sign in to read and write messages about ads."
  >
    <LinkButton reloadDocument to={signInUrl(location.pathname)}>
      Login with X (Twitter)
    </LinkButton>
  </EmptyState>
);
