import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Message } from '../../../../contract/messages.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleConversation, sampleMessage, sampleUser } from '../../test/samples.ts';
import { Thread } from './thread.tsx';

const WARNING =
  'Be careful: keep the conversation and the payment where you can check them. Never share verification codes.';

let lastId = 0;
const received = (content: string, fields: Partial<Message> = {}) =>
  sampleMessage({ id: `${++lastId}`, senderId: '9', receiverId: '1', content, ...fields });

const open = (...messages: Message[]) =>
  renderAt({
    routes: [
      {
        path: '/',
        element: (
          <Thread
            conversation={sampleConversation({ messages, other: messages[0]?.sender ?? null })}
            pending={[]}
            userId="1"
            showReply={async () => {}}
            hasEarlier={false}
            isLoadingEarlier={false}
            loadEarlier={async () => {}}
            sendAgain={() => {}}
            discard={() => {}}
          />
        ),
      },
      { path: '*', element: <p>Another page</p> },
    ],
  });

test('a message runs in the direction of its own first letters', () => {
  open(received('مرحبا، is it still there?', { sender: sampleUser({ displayName: 'ليلى حداد' }) }));
  expect(screen.getByText('مرحبا، is it still there?').dir).toBe('auto');
  expect(screen.getByText('ليلى حداد').localName).toBe('bdi');
});

test('markup and other schemes stay text', () => {
  const texts = ['<img src=x onerror=alert(1)>', 'javascript:alert(1)', 'data:text/html,<b>x</b>', 'a'.repeat(2000)];
  open(...texts.map((text) => received(text)));
  for (const text of texts) expect(screen.getByText(text).children).toHaveLength(0);
  expect(screen.getByRole('log').querySelector('img, script, b, a[href]')).toBeNull();
});

test('a link opens only from a dialog that shows the whole address', async () => {
  const address = `https://pay.аpple.com/${'long-path/'.repeat(20)}?q=1#end`;
  open(received(`Pay here: ${address}.`));
  expect(screen.queryByRole('link')).toBeNull();
  const button = screen.getByRole('button', { name: address });
  button.focus();
  fireEvent.keyDown(button, { key: 'Tab' });
  fireEvent.keyDown(button, { key: 'Enter' });
  const dialog = await screen.findByRole('dialog', { name: 'Open this link?' });
  const { href } = new URL(address);
  expect(within(dialog).getByText('pay.xn--pple-43d.com').localName).toBe('strong');
  expect(dialog.textContent).toContain(href);
  expect(dialog.textContent).toContain('letters outside of a–z');
  const link = within(dialog).getByRole('link', { name: 'Open' });
  expect(link.getAttribute('href')).toBe(href);
  expect(link.getAttribute('target')).toBe('_blank');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(button);
});

test('the host stands out even after a name and a password', async () => {
  open(received('https://x.com:x.com@evil.test/x.com'));
  fireEvent.click(screen.getByRole('button', { name: /evil/ }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('evil.test').parentElement?.textContent).toBe('https://x.com:x.com@evil.test/x.com');
  expect(dialog.querySelectorAll('strong')).toHaveLength(1);
  expect(dialog.textContent).not.toContain('xn--');
});

test('an address of this marketplace leads there at once', async () => {
  open(received(`This one: ${location.origin}/ads/7?x=1`));
  const link = screen.getByRole('link', { name: `${location.origin}/ads/7?x=1` });
  expect(link.getAttribute('href')).toBe('/ads/7?x=1');
  fireEvent.click(link);
  expect(await screen.findByText('Another page')).toBeDefined();
});

test('each message with a warning is marked; the first of a day shows the sentence, the others unfold it', () => {
  open(
    received('Hello', { createdAt: '2026-01-05T10:00:00.000Z' }),
    received('Call +49 171 2345678', { warning: true, createdAt: '2026-01-05T11:00:00.000Z' }),
    received('Call me!', { warning: true, createdAt: '2026-01-05T11:01:00.000Z' }),
    received('Gift card?', { warning: true, createdAt: '2026-01-07T11:00:00.000Z' }),
  );
  const folded = [...document.querySelectorAll('details')];
  expect(folded).toHaveLength(1);
  expect(folded[0]?.closest('li')?.textContent).toContain('Call me!');
  expect(screen.getByText('Be careful').localName).toBe('summary');
  const sentences = screen.getAllByText(WARNING, { exact: false });
  expect(sentences.map((sentence) => sentence.closest('details') !== null)).toEqual([false, true, false]);
  expect(screen.getAllByRole('link', { name: 'Safety Tips' })[0]?.getAttribute('href')).toBe('/safety-tips');
});

test('photos have names and open the viewer; the text that counts them is not shown beside them', async () => {
  const photos = ['7', '8'].map((id) => ({ id, width: 40, height: 30 }));
  open(received('Sent 2 photos', { photos, isWordless: true }), received('Look!', { photos: photos.slice(0, 1) }));
  expect(screen.queryByText('Sent 2 photos')).toBeNull();
  expect(screen.getByText('Look!')).toBeDefined();
  const second = screen.getByRole('img', { name: /^Photo 2 of 2 from / });
  expect(second.getAttribute('src')).toBe('/api/messages/photos/8/thumb');
  fireEvent.click(second);
  const dialog = await screen.findByRole('dialog');
  const shown = within(dialog)
    .getAllByRole('img', { hidden: true })
    .map((img) => img.getAttribute('src'));
  expect(shown).toContain('/api/messages/photos/8/full');
});
