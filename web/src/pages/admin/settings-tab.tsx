import { getSettings } from '../../../../contract/admin.ts';
import { useCall } from '../../api/use-call.ts';
import { Failure } from '../../ui/empty.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/skeleton.tsx';
import { PasswordCard } from './password-card.tsx';
import { SettingsForm } from './settings-form.tsx';

/** Platform settings, content moderation and the administrator's own password. */
export const SettingsTab = ({ hasPassword }: { hasPassword: boolean }) => {
  const { data, error, mutate } = useCall(getSettings, {});
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      {error ? (
        <Failure title="Failed to load settings" onRetry={() => void mutate()} />
      ) : data ? (
        <SettingsForm settings={data} onSaved={(saved) => void mutate(saved, { revalidate: false })} />
      ) : (
        <SkeletonRegion className="grid gap-4">
          <Skeleton className="h-64" />
        </SkeletonRegion>
      )}
      {hasPassword ? <PasswordCard /> : null}
    </div>
  );
};
