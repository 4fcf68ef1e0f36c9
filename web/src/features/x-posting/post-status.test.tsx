import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { XPost } from '../../../../contract/x-posting.ts';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { XPostStatusCard } from './post-status.tsx';

const POSTS = '/api/ads/1/x-posts';
const post = (status: XPost['status']) => [{ id: '1', kind: 'ad', status, url: null, reason: null, canRetry: false }];

afterEach(() => void vi.useRealTimers());

test('the status of a post is asked for again after an error, until the post has an outcome', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { answers, asked } = fakeApi({ [`GET ${POSTS}`]: { status: 503 } });
  renderAt({
    routes: [{ path: '/', element: <XPostStatusCard adId="1" /> }],
    boot: { env: { ...DEFAULT_SITE_CONFIG, xPosting: 'api' }, data: { [POSTS]: post('pending') } },
  });
  expect(await screen.findByText('Waiting')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(3500));
  expect(asked).toHaveLength(1);
  answers[`GET ${POSTS}`] = { json: post('posted') };
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(await screen.findByText('Posted')).toBeDefined();
  const requests = asked.length;
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(asked).toHaveLength(requests);
});
