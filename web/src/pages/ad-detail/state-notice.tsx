import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { type Ad, renewAd } from '../../../../contract/ads.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';

const NOTICES = {
  pending: 'Pending review: only you can see this ad until it has been approved.',
  inactive: 'This ad was made inactive by a moderator. Only you can see it.',
  expired: 'This ad has run its time and left the market. Renew it to put it back.',
};

/** Tells the owner why nobody else sees the ad, and renews an expired one. */
export const StateNotice = ({ ad, onChange }: { ad: Ad; onChange: (ad: Ad) => void }) => {
  const toast = useToast();
  const refresh = useRefresh();
  const [isRenewing, setRenewing] = useState(false);
  if (!ad.state || ad.state === 'active') return null;

  const handleRenew = async () => {
    setRenewing(true);
    try {
      onChange(await call(renewAd, { params: { id: ad.id } }));
      toast({ title: 'Ad renewed', description: 'Your ad is back on the market.' });
      await refresh('ads', 'myAds', 'profiles');
    } catch (error) {
      toast({ title: 'Error', description: messageOf(error, 'Failed to renew the ad.'), variant: 'destructive' });
    } finally {
      setRenewing(false);
    }
  };

  return (
    <div className="grid gap-2 rounded-card bg-warning-soft p-4 text-sm text-warning">
      <p>{NOTICES[ad.state]}</p>
      {ad.stateReason ? <p>Reason: {ad.stateReason}</p> : null}
      {ad.state === 'expired' ? (
        <Button variant="outline" size="sm" className="w-fit" busy={isRenewing} onClick={() => void handleRenew()}>
          <RotateCw aria-hidden="true" />
          Renew ad
        </Button>
      ) : null}
    </div>
  );
};
