import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createBrowserRouter, Link, RouterProvider } from 'react-router-dom';
import { expect, test } from 'vitest';
import { LeaveGuard } from './leave-guard.tsx';

const Form = () => (
  <>
    <p>form</p>
    <Link to="/next">next</Link>
    <LeaveGuard isChanged={() => true} isUnsaved={() => true} text="Not saved." />
  </>
);
const routes = [
  { path: '/', element: <p>home</p> },
  { path: '/form', element: <Form /> },
  { path: '/next', element: <p>the next page</p> },
];

/** Home, form, next, and back on the form: each direction leads to another page. */
const openBetween = async () => {
  // Unlike the memory's, this history goes back later, as in a browser.
  history.replaceState(null, '', '/');
  const router = createBrowserRouter(routes);
  render(<RouterProvider router={router} />);
  await act(() => router.navigate('/form'));
  await act(() => router.navigate('/next'));
  await answer('Leave');
  await screen.findByText('the next page');
  await act(() => router.navigate(-1));
  await screen.findByText('form');
  return router;
};

const answer = async (name: 'Cancel' | 'Leave') => {
  fireEvent.click(await screen.findByRole('button', { name }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
};

test.each([
  ['Back', -1, 'home'],
  ['Forward', 1, 'the next page'],
  ['a link', '/next', 'the next page'],
])('%s: Cancel stays, and Leave leaves, again and again', async (_, to, page) => {
  const router = await openBetween();
  const go = () =>
    act(async () => {
      if (typeof to === 'number') await router.navigate(to);
      else fireEvent.click(screen.getByRole('link', { name: 'next' }));
    });
  for (const _round of [1, 2]) {
    await go();
    await answer('Cancel');
    expect(screen.getByText('form')).toBeDefined();
  }
  await go();
  await answer('Leave');
  expect(await screen.findByText(page)).toBeDefined();
  expect(screen.queryByRole('alertdialog')).toBeNull();
  // The guard of the form that opens next asks again.
  await act(() => router.navigate('/form'));
  await screen.findByText('form');
  await act(() => router.navigate('/'));
  await answer('Leave');
  expect(await screen.findByText('home')).toBeDefined();
});

test('closing the tab is asked about', async () => {
  await openBetween();
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
});
