import { ExternalLink } from 'lucide-react';
import { t } from '../../../../contract/i18n.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';

/** Splits an address before and after its host. */
const splitAtHost = ({ href, protocol, username, password, host }: URL): [string, string, string] => {
  const credentials = username || password ? `${username}${password ? `:${password}` : ''}@` : '';
  const start = `${protocol}//${credentials}`.length;
  return [href.slice(0, start), host, href.slice(start + host.length)];
};

interface LinkDialogProps {
  url: URL;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Shows the whole address of a link in a message before it can be opened. */
export const LinkDialog = ({ url, open, onOpenChange }: LinkDialogProps) => {
  const { siteName } = useSiteConfig();
  const [before, host, after] = splitAtHost(url);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('messages.openLink')}
      description={t('messages.openLinkText', { site: siteName })}
    >
      <p dir="ltr" className="rounded-control bg-surface p-3 break-all text-muted-foreground">
        {before}
        <strong className="font-semibold text-foreground">{host}</strong>
        {after}
      </p>
      {/(?:^|\.)xn--/u.test(host) ? <p className="text-sm">{t('messages.openLinkLetters')}</p> : null}
      <div className="dialog-footer">
        <Button variant="outline" onClick={() => onOpenChange(false)}>
          {t('shell.cancel')}
        </Button>
        <LinkButton
          to={url.href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          onClick={() => onOpenChange(false)}
        >
          {t('messages.open')} <ExternalLink />
        </LinkButton>
      </div>
    </Dialog>
  );
};
