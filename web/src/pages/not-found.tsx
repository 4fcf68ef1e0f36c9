import { Compass } from 'lucide-react';
import { LinkButton } from '../ui/button.tsx';
import { EmptyPage } from '../ui/feedback.tsx';

export const NotFoundPage = () => (
  <EmptyPage icon={Compass} title="Page Not Found" text="The page you're looking for doesn't exist or has moved.">
    <LinkButton to="/">Back to Home</LinkButton>
  </EmptyPage>
);
