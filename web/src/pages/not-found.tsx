import { Compass } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '../ui/button.tsx';
import { EmptyPage } from '../ui/feedback.tsx';

export const NotFoundPage = () => (
  <EmptyPage icon={Compass} title="Page Not Found" text="The page you're looking for doesn't exist or has moved.">
    <Button asChild>
      <Link to="/">Back to Home</Link>
    </Button>
  </EmptyPage>
);
