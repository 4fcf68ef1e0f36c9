import { useCallback } from 'react';
import type { NavigateFunction } from 'react-router-dom';

/** Goes back in history if the previous entry belongs to this site, otherwise to the given page. */
export const useGoBack = (navigate: NavigateFunction) =>
  useCallback(
    (fallback: string) => {
      // React Router counts its entries from 0, the first page of the visit.
      const { idx = 0 } = (history.state ?? {}) as { idx?: number };
      void (idx > 0 ? navigate(-1) : navigate(fallback, { replace: true }));
    },
    [navigate],
  );
