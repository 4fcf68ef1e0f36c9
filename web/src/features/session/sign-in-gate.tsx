import { LogIn } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { useOpenSignIn } from './sign-in-context.tsx';

/** What a page for signed-in people shows to others. */
export const SignInGate = ({ title, text, children }: { title: string; text?: string; children?: ReactNode }) => {
  const openSignIn = useOpenSignIn();
  return (
    <div className="container-page py-16">
      <Empty heading="h1" icon={LogIn} title={title} text={text}>
        {children ?? <Button onClick={() => openSignIn()}>Sign In</Button>}
      </Empty>
    </div>
  );
};
