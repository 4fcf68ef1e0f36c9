import { Link2, Share } from 'lucide-react';
import type { Ad } from '../../../../contract/ads.ts';
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
      toast({ title: 'Link copied!', description: 'The ad link has been copied to your clipboard.' });
    } catch {
      toast.error('The link could not be copied.');
    }
  };
  const share = async () => {
    try {
      await navigator.share({ title: ad.title, url });
    } catch (error) {
      // The person closed the sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) toast.error('The ad could not be shared.');
    }
  };
  const hasSheet = typeof navigator !== 'undefined' && 'share' in navigator;

  return {
    copy,
    actions: [
      ...(hasSheet ? [{ icon: Share, label: 'Share…', onSelect: () => void share() }] : []),
      { icon: Link2, label: 'Copy link', onSelect: () => void copy() },
      {
        icon: XLogo,
        label: 'Post on X',
        href: `https://x.com/intent/post?${new URLSearchParams({ text: ad.title, url })}`,
      },
    ],
  };
};
