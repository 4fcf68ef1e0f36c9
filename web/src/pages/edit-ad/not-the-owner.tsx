import { useEffect } from 'react';
import { Navigate } from 'react-router-dom';
import { useToast } from '../../ui/toast/toast-context.ts';

/** Sends those away who do not own the ad. */
export const NotTheOwner = () => {
  const toast = useToast();
  useEffect(
    () => toast({ title: 'Access denied', description: 'You can only edit your own ads.', variant: 'destructive' }),
    [toast],
  );
  return <Navigate to="/dashboard" replace />;
};
