import { setAdStatus } from '../../../../contract/admin.ts';
import type { Ad } from '../../../../contract/ads.ts';
import { call } from '../../api/client.ts';
import { useAdminAction } from './use-admin-action.ts';

/** What both directions of the switch say. */
export const STATUS_TEXTS = { done: 'Ad status updated successfully', failed: 'Failed to update ad status' };

/** Approves a pending ad or puts an inactive one back. */
export const useActivateAd = () => {
  const act = useAdminAction();
  return (ad: Ad) => act(STATUS_TEXTS, () => call(setAdStatus, { params: { id: ad.id }, body: { status: 'active' } }));
};
