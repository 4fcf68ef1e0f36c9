import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { startSignIn } from '../../api/session.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { XLogo } from '../../ui/icons.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { Rich } from '../../ui/rich.tsx';
import { PasskeySignIn } from '../passkeys/passkey-sign-in.tsx';
import { keepIntent, type SignInRequest } from './intent.ts';

interface SignInDialogProps extends SignInRequest {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export const SignInDialog = ({ open, onOpenChange, returnTo, intent }: SignInDialogProps) => {
  const { siteName } = useSiteConfig();
  const [isLeaving, setLeaving] = useState(false);
  const handleClose = () => onOpenChange(false);
  const link = (to: string, words: string) => (
    <Link to={to} onClick={handleClose} className="prose-link">
      {words}
    </Link>
  );
  const handleSignedIn = () => {
    keepIntent(intent);
    location.assign(returnTo ?? location.pathname + location.search);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('auth.welcome', { site: siteName })}
      description={t('auth.text')}
      className="sm:max-w-[27.5rem]"
    >
      <Button
        size="lg"
        variant="inverse"
        className="w-full"
        busy={isLeaving}
        onClick={() => {
          setLeaving(true);
          keepIntent(intent);
          startSignIn(returnTo);
        }}
      >
        {isLeaving ? <Spinner /> : <XLogo />}
        {t('auth.continueWithX')}
      </Button>
      <PasskeySignIn onSignedIn={handleSignedIn} />
      <p className="flex items-start gap-2 rounded-control bg-accent p-3 text-sm text-accent-foreground">
        <BadgeCheck className="mt-0.5 size-4 shrink-0 text-verified" />
        {t('auth.verified')}
      </p>
      <p className="text-sm text-muted-foreground">
        <Rich
          text={t('auth.privacy')}
          terms={(words) => link('/terms-of-service', words)}
          privacy={(words) => link('/privacy', words)}
          tips={(words) => link('/safety-tips', words)}
        />
      </p>
    </Dialog>
  );
};
