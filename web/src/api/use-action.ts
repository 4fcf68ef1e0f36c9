import { useState } from 'react';
import { useToast } from '../ui/toast/toast.tsx';
import { getErrorMessage } from './client.ts';

/**
 * Runs an action of a button: `isBusy` meanwhile, and a toast if it fails. `run` resolves to whether it succeeded. The
 * toast has the server's message, or else `failure`.
 */
export const useAction = () => {
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const run = async (action: () => Promise<unknown>, failure: string, title?: string): Promise<boolean> => {
    setBusy(true);
    try {
      await action();
      return true;
    } catch (error) {
      toast.error(getErrorMessage(error, failure), title);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run };
};
