import { MessageCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Ad } from '../../../../contract/ads.ts';
import { t } from '../../../../contract/i18n.ts';
import { toPriceText } from '../../../../contract/prices.ts';
import type { User } from '../../../../contract/user.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { AdThumb } from '../ads/ad-card.tsx';
import { takeIntent } from '../auth/intent.ts';
import { useOpenSignIn } from '../auth/sign-in.tsx';

const ContactDialog = lazyOverlay(() => import('./contact-dialog.tsx').then((module) => module.ContactDialog));

interface ContactAboutProps {
  seller: User;
  /** The newest ads of the seller. */
  ads: Ad[];
}

/** Writes to the seller of a profile: a conversation is about one ad, so with several of them it asks which. */
export const ContactAbout = ({ seller, ads }: ContactAboutProps) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const [isAsking, setAsking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Ad>();
  const open = ads.filter(({ isActive, isSold, allowMessages }) => isActive && !isSold && allowMessages);
  const [first] = open;
  const about = `seller ${seller.id}`;

  const contact = (ad: Ad) => {
    setChosen(ad);
    setAsking(false);
    setOpen(true);
  };
  const begin = () => {
    if (!user) openSignIn(undefined, { does: 'contact', about });
    else if (open.length > 1) setAsking(true);
    else if (first) contact(first);
  };
  const mayContinue = Boolean(user && user.id !== seller.id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the person is known
  useEffect(() => {
    if (mayContinue && takeIntent((intent) => intent.about === about)) begin();
  }, [mayContinue, about]);

  if (!first) return <p className="text-sm text-muted-foreground">{t('ad.noContact')}</p>;
  return (
    <>
      <Button onClick={begin}>
        <MessageCircle /> {t('ad.contactSeller')}
      </Button>
      <Dialog open={isAsking} onOpenChange={setAsking} title={t('profile.aboutWhich')}>
        <ul className="grid gap-1">
          {open.map((ad) => (
            <li key={ad.id}>
              <button
                type="button"
                className="flex w-full items-center gap-3 rounded-control p-2 text-start hover:bg-muted"
                onClick={() => contact(ad)}
              >
                <AdThumb ad={ad} />
                <span className="min-w-0">
                  <bdi className="block truncate font-medium">{ad.title}</bdi>
                  <span className="block text-sm text-muted-foreground tabular-nums">{toPriceText(ad)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Dialog>
      {chosen ? <ContactDialog ad={chosen} open={isOpen} onOpenChange={setOpen} /> : null}
    </>
  );
};
