import { Link2, Share } from 'lucide-react';
import type { Ad } from '../../../../contract/ads.ts';
import { t } from '../../../../contract/i18n.ts';
import { useHydrated } from '../../hooks/use-hydrated.ts';
import { XLogo } from '../../ui/icons.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

/** All ways to share an ad: the menu's, and copying its link. */
export const useShare = (ad: Pick<Ad, 'id' | 'title'>) => {
  const toast = useToast();
  const url = `${useHydrated() ? location.origin : ''}/ads/${ad.id}`;

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      toast({ title: t('ad.linkCopied'), description: t('ad.linkCopiedText') });
    } catch {
      toast.error(t('ad.linkNotCopied'));
    }
  };
  const share = async () => {
    try {
      await navigator.share({ title: ad.title, url });
    } catch (error) {
      // The person closed the sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) toast.error(t('ad.notShared'));
    }
  };
  const hasSheet = typeof navigator !== 'undefined' && 'share' in navigator;

  return {
    copy,
    actions: [
      ...(hasSheet ? [{ icon: Share, label: t('ad.shareMore'), onSelect: () => void share() }] : []),
      { icon: Link2, label: t('ad.copyLink'), onSelect: () => void copy() },
      {
        icon: XLogo,
        label: t('ad.postOnX'),
        href: `https://x.com/intent/post?${new URLSearchParams({ text: ad.title, url })}`,
      },
    ],
  };
};
