import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Ad } from '../../../../contract/ads.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleAd, sampleConversation, sampleMe, sampleUser } from '../../test/samples.ts';
import { SignInProvider } from '../auth/sign-in.tsx';
import { ContactAbout } from './contact-about.tsx';

const seller = sampleUser();
const buyer = sampleMe({ id: '1002' });
const sofa = sampleAd({ id: '7', title: 'Sofa' });
const lamp = sampleAd({ id: '8', title: 'Lamp', price: '20.00' });

const open = (ads: Ad[], me: typeof buyer | null = buyer) => {
  const json = sampleConversation({ messages: [], other: seller, actions: ['send'] });
  fakeApi({
    'GET /api/conversations/7/1001': { json },
    'GET /api/conversations/8/1001': { json },
    'GET /api/messages/unread-count': { json: { unreadCount: 0 } },
  });
  const element = (
    <SignInProvider>
      <ContactAbout seller={seller} ads={ads} />
    </SignInProvider>
  );
  renderAt({ routes: [{ path: '/', element }], boot: { me } });
};
const press = () => fireEvent.click(screen.getByRole('button', { name: 'Contact Seller' }));

test('with several ads it asks about which, and opens the conversation about that one', async () => {
  open([sofa, lamp, sampleAd({ id: '9', title: 'Silent', allowMessages: false })]);
  press();
  const dialog = within(await screen.findByRole('dialog', { name: 'About which ad?' }));
  const choices = await dialog.findAllByRole('listitem');
  expect(choices.map((choice) => choice.querySelector('bdi')?.textContent)).toEqual(['Sofa', 'Lamp']);
  fireEvent.click(dialog.getByRole('button', { name: /Lamp/ }));
  const conversation = await screen.findByRole('dialog', { name: 'Contact Sally Seller' });
  expect(await within(conversation).findByText('Lamp')).toBeDefined();
});

test('with one ad it opens the conversation about it, with none it says so', async () => {
  open([sofa, sampleAd({ id: '9', isSold: true })]);
  press();
  expect(await screen.findByRole('dialog', { name: 'Contact Sally Seller' })).toBeDefined();
  cleanup();
  open([]);
  expect(screen.getByText('Contact information not available')).toBeDefined();
});

test('a visitor is asked after signing in', async () => {
  open([sofa, lamp], null);
  press();
  fireEvent.click(await screen.findByRole('button', { name: 'Continue with X' }));
  cleanup();
  open([sofa, lamp]);
  expect(await screen.findByRole('dialog', { name: 'About which ad?' })).toBeDefined();
});
