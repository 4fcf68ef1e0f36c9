import { useNavigation } from 'react-router-dom';

/** A thin bar at the top while the next page's code is on its way; quick changes never show it. */
export const ProgressBar = () => {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <div
      aria-hidden="true"
      className="fixed inset-x-0 top-0 z-toast h-0.5 animate-skeleton bg-primary transition-opacity delay-150 starting:opacity-0"
    />
  );
};
