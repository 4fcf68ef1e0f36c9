import { MessageCircle } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Ad } from '../../../../contract/ads.ts';
import { useSession } from '../../api/session.ts';
import { Price } from '../../features/ads/price.tsx';
import { useOpenSignIn } from '../../features/session/sign-in-context.tsx';
import { lazyPart } from '../../lib/load-code.ts';
import { preload } from '../../lib/preload.ts';
import { Button } from '../../ui/button.tsx';

const loadDialog = () => import('../../features/messages/contact-dialog.tsx').then((module) => module.ContactDialog);
const ContactDialog = lazyPart(loadDialog);

/** The way to the seller: a button beside the ad, on phones a bar at the bottom. */
export const ContactSeller = ({ ad }: { ad: Ad }) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);

  if (!ad.allowMessages) return <p className="text-muted-foreground">Contact information not available</p>;

  const handleContact = () => {
    if (!user) return openSignIn();
    setOpened(true);
    setOpen(true);
  };
  const button = (className: string) => (
    <Button
      size="lg"
      className={className}
      onPointerEnter={preload(loadDialog)}
      onFocus={preload(loadDialog)}
      onClick={handleContact}
    >
      <MessageCircle aria-hidden="true" />
      Contact Seller
    </Button>
  );
  return (
    <>
      {button('w-full max-lg:hidden')}
      {isOpen ? null : (
        <div
          data-slot="bottom-bar"
          className="fixed inset-x-0 bottom-0 z-bottom-bar flex items-center gap-4 border-t border-border bg-background/95 px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] backdrop-blur-md lg:hidden print:hidden"
        >
          <Price price={ad.price} className="min-w-0 flex-1" />
          {button('')}
        </div>
      )}
      {wasOpened ? (
        <Suspense fallback={null}>
          <ContactDialog ad={ad} open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  );
};
