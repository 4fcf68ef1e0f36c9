const LEAVING = 'leaving';
type Leave = () => Promise<void>;

/** Does what takes the page away without a link, unless something unsaved on it asks first: that does it later, or not. */
export const requestLeave = async (leave: Leave): Promise<void> => {
  if (window.dispatchEvent(new CustomEvent(LEAVING, { detail: leave, cancelable: true }))) await leave();
};

/** Hears of it before. `hold` answers whether it asks; answers how to hear no more. */
export const onLeaveRequest = (hold: (leave: Leave) => boolean): (() => void) => {
  const handleLeaving = (event: Event) => {
    if (hold((event as CustomEvent<Leave>).detail)) event.preventDefault();
  };
  window.addEventListener(LEAVING, handleLeaving);
  return () => window.removeEventListener(LEAVING, handleLeaving);
};
