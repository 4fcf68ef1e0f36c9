import { MessageCircle } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Profile } from '../../../../contract/users.ts';
import { useSession } from '../../api/session.ts';
import { useOpenSignIn } from '../../features/session/sign-in-context.tsx';
import { lazyPart } from '../../lib/load-code.ts';
import { Button } from '../../ui/button.tsx';

const ContactDialog = lazyPart(() =>
  import('../../features/messages/contact-dialog.tsx').then((module) => module.ContactDialog),
);

/** Writes to the seller about their newest ad that takes messages. */
export const ContactSeller = ({ profile }: { profile: Profile }) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const [isOpen, setOpen] = useState<boolean>();
  const ad = profile.ads.find((candidate) => candidate.isActive && candidate.allowMessages);
  if (!ad) return <p className="text-sm text-muted-foreground">Contact information not available</p>;
  return (
    <>
      <Button onClick={() => (user ? setOpen(true) : openSignIn())}>
        <MessageCircle aria-hidden="true" /> Contact Seller
      </Button>
      {isOpen === undefined ? null : (
        <Suspense fallback={null}>
          <ContactDialog ad={ad} open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
};
