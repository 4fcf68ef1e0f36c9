import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { startSignIn } from '../../api/session.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { XLogo } from '../../ui/icons.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
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
  const handleSignedIn = () => {
    keepIntent(intent);
    location.assign(returnTo ?? location.pathname + location.search);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Welcome to ${siteName}`}
      description="Sign in with X to start buying and selling classified ads"
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
        Continue with X
      </Button>
      <PasskeySignIn onSignedIn={handleSignedIn} />
      <p className="flex items-start gap-2 rounded-control bg-accent p-3 text-sm text-accent-foreground">
        <BadgeCheck className="mt-0.5 size-4 shrink-0 text-verified" />
        Verified X accounts get a blue checkmark badge on their ads and profile.
      </p>
      <p className="text-sm text-muted-foreground">
        We read your public profile on X: name, photo, account age and checkmark. We never post without asking. By
        continuing you agree to our{' '}
        <Link to="/terms-of-service" onClick={handleClose} className="prose-link">
          Terms of Service
        </Link>{' '}
        and{' '}
        <Link to="/privacy" onClick={handleClose} className="prose-link">
          Privacy Policy
        </Link>
        . New here? Read our{' '}
        <Link to="/safety-tips" onClick={handleClose} className="prose-link">
          Safety Tips
        </Link>
        .
      </p>
    </Dialog>
  );
};
