import { useCallback } from 'react';
import type { NavigateFunction } from 'react-router-dom';

/** Goes back in history where there is something of ours to go back to, else to a page that makes sense instead. */
export const useGoBack = (navigate: NavigateFunction) =>
  useCallback(
    (otherwise: string) => {
      // React Router counts its own entries from 0: at 0 this page is where the visit began.
      const { idx = 0 } = (history.state ?? {}) as { idx?: number };
      void (idx > 0 ? navigate(-1) : navigate(otherwise, { replace: true }));
    },
    [navigate],
  );
