import { useEffect, useState } from 'react';
import useSWR from 'swr';
import { previewXPost } from '../../../../contract/x-posting.ts';
import { call } from '../../api/client.ts';

const PAUSE_MS = 350;

/** What the server would post about this title and price; undefined while it cannot say. The last text stays meanwhile. */
export const usePostText = (title: string, price: string): string | undefined => {
  const [typed, setTyped] = useState({ title, price });
  useEffect(() => {
    const timer = setTimeout(() => setTyped({ title, price }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [title, price]);
  const isComplete = typed.title.trim() !== '' && typed.price.trim() !== '';
  const { data, error } = useSWR(
    isComplete ? [previewXPost.path, typed.title, typed.price] : null,
    () => call(previewXPost, { body: typed }),
    { keepPreviousData: true },
  );
  return isComplete && !error ? data?.text : undefined;
};
