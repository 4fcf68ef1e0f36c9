import { ShieldCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Card } from '../../ui/card.tsx';

const TIPS = [
  'Meet in a public place',
  'Inspect items before purchasing',
  "Don't share personal information",
  'Use secure payment methods',
  'Trust your instincts',
];

export const SafetyCard = () => (
  <Card className="bg-surface">
    <h2 className="flex items-center gap-2 font-semibold">
      <ShieldCheck aria-hidden="true" className="size-5 text-success" />
      Safety Tips
    </h2>
    <ul className="mt-3 grid list-disc gap-1.5 pl-5 text-sm text-muted-foreground">
      {TIPS.map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
    <Link to="/safety-tips" className="mt-3 inline-flex min-h-8 items-center text-sm text-primary hover:underline">
      More on staying safe
    </Link>
  </Card>
);
