import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { beginPasskeySignIn, signInWithPasskey } from '../../../../contract/passkeys.ts';
import { ApiError, apiRequest, getErrorMessage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { FormError } from '../../ui/form-controls.tsx';

/** Signs in and says what to do if that fails. Undefined: it leaves the page. */
const signIn = async (onSignedIn: () => void): Promise<string | undefined> => {
  const { askForCredential } = await import('./browser-passkeys.ts');
  const asked = await askForCredential(await apiRequest(beginPasskeySignIn));
  if ('problem' in asked) return asked.problem;
  await apiRequest(signInWithPasskey, { body: { credential: asked.credential } });
  onSignedIn();
  return undefined;
};

/** The button and, below it, why it failed. `onSignedIn` loads a page: the session is another one. */
export const PasskeySignIn = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const handleClick = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const problem = await signIn(onSignedIn);
      if (problem === undefined) return;
      setFailure(problem);
    } catch (error) {
      const banPath = error instanceof ApiError ? error.reply?.fields?.banPath : undefined;
      if (banPath) return location.assign(banPath);
      setFailure(getErrorMessage(error, t('auth.failed')));
    }
    setBusy(false);
  };
  return (
    <>
      <Button size="lg" variant="outline" className="w-full" busy={isBusy} onClick={() => void handleClick()}>
        {isBusy ? <Spinner /> : <KeyRound />}
        {t('auth.passkey')}
      </Button>
      <FormError>{failure}</FormError>
      <Link to="/recover" className="prose-link justify-self-center text-sm">
        {t('auth.trouble')}
      </Link>
    </>
  );
};
