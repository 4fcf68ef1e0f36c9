import { ArrowLeft, Heart, Link2 } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import { useAdFavorite } from '../../features/favorites/use-ad-favorite.ts';
import { cn } from '../../lib/cn.ts';
import { useGoBack } from '../../lib/use-go-back.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';

/** Back on the left, copy link and save on the right. */
export const TopRow = ({ ad }: { ad: Ad }) => {
  const goBack = useGoBack(useNavigate());
  const { isFavorited, toggle } = useAdFavorite(ad.id);
  const toast = useToast();

  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(`${location.origin}/ads/${ad.id}`);
      toast({ title: 'Link copied!', description: 'The ad link has been copied to your clipboard.' });
    } catch {
      toast({ title: 'Error', description: 'The link could not be copied.', variant: 'destructive' });
    }
  };

  return (
    <div className="flex items-center gap-2">
      <Button variant="ghost" className="-ml-3" onClick={() => goBack('/')}>
        <ArrowLeft aria-hidden="true" />
        Back
      </Button>
      <Button
        variant="outline"
        size="icon"
        className="ml-auto"
        aria-label="Copy link"
        onClick={() => void handleCopy()}
      >
        <Link2 aria-hidden="true" className="size-5" />
      </Button>
      <Button
        variant="outline"
        size="icon"
        aria-pressed={isFavorited}
        aria-label={`Save ${ad.title}`}
        onClick={() => void toggle()}
      >
        <Heart aria-hidden="true" className={cn('size-5', isFavorited && 'fill-favorite text-favorite')} />
      </Button>
    </div>
  );
};
