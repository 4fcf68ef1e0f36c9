import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Announcer } from '../../lib/announcer.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe, sampleMessage, sampleUser } from '../../test/samples.ts';
import { MessagesPage } from './page.tsx';

const element = (
  <>
    <MessagesPage />
    <Announcer />
  </>
);
const buyer = (id: string) => sampleUser({ id, displayName: `Buyer ${id}` });
const from = (id: string, senderId: string) =>
  sampleMessage({ id, senderId, sender: buyer(senderId), receiverId: '1001', receiver: sampleUser() });

test('says how many conversations came, not of how many ads', async () => {
  const first = { json: { 1: [from('9', '1002')] }, headers: { Link: '</api/messages/user?cursor=c1>; rel="next"' } };
  fakeApi({
    'GET /api/messages/user': first,
    'GET /api/messages/counts': { json: [] },
    'GET /api/messages/user?cursor=c1': { json: { 1: [from('8', '1003'), from('7', '1004')] } },
  });
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('Buyer 1004')).toBeDefined();
  await waitFor(() => expect(document.getElementById('announcer')?.textContent).toBe('2 more loaded'));
});
