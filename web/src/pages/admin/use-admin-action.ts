import { messageOf } from '../../api/api-error.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useToast } from '../../ui/toast/toast-context.ts';

interface ActionTexts {
  done: string;
  failed: string;
}

/** Runs an administrator's action, says how it went, and refreshes what it may have changed. True when it worked. */
export const useAdminAction = () => {
  const showToast = useToast();
  const refresh = useRefresh();
  return async (texts: ActionTexts, action: () => Promise<unknown>): Promise<boolean> => {
    try {
      await action();
    } catch (error) {
      showToast({
        title: texts.failed,
        description: messageOf(error, 'Please try again later.'),
        variant: 'destructive',
      });
      return false;
    }
    showToast({ title: texts.done });
    await refresh('adminUsers', 'adminAds', 'ads', 'profiles');
    return true;
  };
};
