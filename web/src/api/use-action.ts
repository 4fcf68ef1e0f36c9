import { useRef, useState } from 'react';
import { useToast } from '../ui/toast/toast.tsx';
import { getErrorMessage } from './client.ts';

/**
 * Runs an action of a button: `isBusy` meanwhile, and a toast if it fails. `run` resolves to whether it succeeded. A
 * second click while the action runs does nothing. The toast has the server's message, or else `failure`. `id` tells
 * actions on several rows apart.
 */
export const useAction = () => {
  const toast = useToast();
  const [running, setRunning] = useState<readonly string[]>([]);
  const runningRef = useRef(running);
  const change = (ids: readonly string[]) => {
    runningRef.current = ids;
    setRunning(ids);
  };
  const run = async (action: () => Promise<unknown>, failure: string, title?: string, id = ''): Promise<boolean> => {
    if (runningRef.current.includes(id)) return false;
    change([...runningRef.current, id]);
    try {
      await action();
      return true;
    } catch (error) {
      toast.error(getErrorMessage(error, failure), title);
      return false;
    } finally {
      change(runningRef.current.filter((other) => other !== id));
    }
  };
  return { isBusy: running.length > 0, isBusyWith: (id: string) => running.includes(id), run };
};
