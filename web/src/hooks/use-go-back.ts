import { useNavigate } from 'react-router-dom';

/** Goes back in history if the previous entry belongs to this site; otherwise navigates to the given page. */
export const useGoBack = () => {
  const navigate = useNavigate();
  return (fallback: string): void => {
    // React Router numbers its entries from 0, the first page of the visit.
    const { idx = 0 } = (history.state ?? {}) as { idx?: number };
    void (idx > 0 ? navigate(-1) : navigate(fallback, { replace: true }));
  };
};
