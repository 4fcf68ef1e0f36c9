import { HandCoins, MessageCircle } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Ad } from '../../../../../contract/ads.ts';
import { t } from '../../../../../contract/i18n.ts';
import { PRICE_RULES } from '../../../../../contract/prices.ts';
import { useSession } from '../../../api/session.ts';
import { preload } from '../../../lib/chunks.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyOverlay } from '../../../ui/lazy-overlays.tsx';
import { type Intent, takeIntent } from '../../auth/intent.ts';
import { useOpenSignIn } from '../../auth/sign-in.tsx';
import { Price } from '../ad-card.tsx';

const loadContact = () => import('../../messages/contact-dialog.tsx').then((module) => module.ContactDialog);
const ContactDialog = lazyOverlay(loadContact);
const loadOffer = () => import('../../offers/offer-dialog.tsx').then((module) => module.OfferDialog);
const OfferDialog = lazyOverlay(loadOffer);

/** Whether somebody else than the owner may offer a price. The server decides. */
const takesOffers = (ad: Ad): boolean =>
  PRICE_RULES[ad.priceType].isNegotiable && ad.isActive && !ad.isSold && (!ad.isReserved || Boolean(ad.reservedFor));

type Step = 'contact' | 'offer';
const isStep = (does: Intent['does']): does is Step => does !== 'save';

/** Which dialog between a buyer and the seller of an ad is open. Visitors sign in first. */
export const useContact = ({ id, userId }: Ad) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const [open, setOpen] = useState<Step>();
  const begin = (step: Step) => (user ? setOpen(step) : openSignIn(undefined, { does: step, about: id }));
  const mayContinue = Boolean(user && user.id !== userId);
  useEffect(() => {
    const intent = mayContinue ? takeIntent(({ does, about }) => isStep(does) && about === id) : undefined;
    if (intent) setOpen(intent.does as Step);
  }, [mayContinue, id]);
  return { open, setOpen, begin };
};
type Contact = ReturnType<typeof useContact>;

/** What a buyer may do about the ad: beside it on wide screens, on others in a bar at the end of the screen. */
export const ContactSeller = ({ ad, contact }: { ad: Ad; contact: Contact }) => {
  if (!ad.allowMessages) return <p className="text-muted-foreground">{t('ad.noContact')}</p>;
  const toButtonProps = (step: Step, load: () => Promise<unknown>) => ({
    size: 'lg' as const,
    onPointerEnter: preload(load),
    onFocus: preload(load),
    onClick: () => contact.begin(step),
  });
  const hasOffers = takesOffers(ad);
  const actions = (
    <>
      <Button className="flex-1" {...toButtonProps('contact', loadContact)}>
        <MessageCircle />
        {t('ad.contactSeller')}
      </Button>
      {hasOffers ? (
        <Button variant="outline" className="flex-1" {...toButtonProps('offer', loadOffer)}>
          <HandCoins />
          {t('ad.makeOffer')}
        </Button>
      ) : null}
    </>
  );
  return (
    <>
      <div className="flex flex-wrap gap-2 max-lg:hidden">{actions}</div>
      {contact.open ? null : (
        <BottomBar>
          {/* Beside two buttons there is no room for it on a phone. */}
          <Price ad={ad} className={hasOffers ? 'grow max-sm:hidden' : 'grow'} />
          <div className={hasOffers ? 'flex grow flex-wrap gap-2 max-sm:[&_svg]:hidden' : 'flex'}>{actions}</div>
        </BottomBar>
      )}
    </>
  );
};

export const ContactDialogs = ({ ad, contact: { open, setOpen } }: { ad: Ad; contact: Contact }) => {
  const toOpenProps = (step: Step) => ({
    open: open === step,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? step : undefined),
  });
  return (
    <>
      <ContactDialog ad={ad} {...toOpenProps('contact')} />
      <OfferDialog ad={ad} other={ad.user} onInConversation={() => setOpen('contact')} {...toOpenProps('offer')} />
    </>
  );
};

const BottomBar = ({ children }: { children: ReactNode }) => (
  <div
    data-slot="bottom-bar"
    className="fixed inset-x-0 bottom-0 z-bottom-bar flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-border bg-background px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] lg:hidden print:hidden"
  >
    {children}
  </div>
);
