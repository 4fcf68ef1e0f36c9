import { writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { newWord } from '../e2e/content.ts';
import { joinX } from '../e2e/people.ts';
import { makePhoto } from '../harness/photos.ts';
import { button, field, heading, link, text } from './find.ts';
import { closeTabs, DESKTOP, expectNoProblems, openTab, PHONE, signIn, visit } from './people.ts';
import { arrive, click, see, type, upload } from './tab.ts';

const QUESTION = 'Is the desk still available? I could come on Saturday.';
const RESPONSE = 'Yes, Saturday morning works.';

test.afterEach(closeTabs);

test('two people post with photos, search, save, ask and respond', async ({ browserName: _ }, info) => {
  const engine = info.project.name;
  const title = `${newWord('Walnut')} writing desk`;
  const photos = [info.outputPath('upright.jpg'), info.outputPath('side.jpg')] as const;
  // As a phone in portrait orientation stores it.
  await writeFile(photos[0], await makePhoto({ seed: 7, width: 1512, height: 2016, orientation: 6, gps: true }));
  await writeFile(photos[1], await makePhoto({ seed: 8, width: 1600, height: 1200 }));
  const seller = await openTab(engine, DESKTOP);
  const buyer = await openTab(engine, PHONE);

  await test.step('the seller signs in and posts an ad with photos', async () => {
    await signIn(seller, await joinX('desk_seller'), DESKTOP);
    await visit(seller, '/create-ad');
    await see(seller, heading('Post a New Ad'));
    await upload(seller, { css: 'input[type=file]', name: /./ }, [...photos]);
    await see(seller, button(/^Remove/));
    await type(seller, field('Title'), title);
    await type(seller, field('Description'), 'Solid walnut, three drawers.');
    await type(seller, field('Price'), '349.50');
    await seller.run(() => {
      const select = document.querySelector<HTMLSelectElement>('select[name=category]');
      if (!select) throw new Error('no categories');
      select.value = 'furniture';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await click(seller, button('Post Ad'));
    await arrive(seller, '/dashboard');
    await see(seller, link(title));
  });

  await test.step('the buyer signs in, finds the ad by its words and saves it', async () => {
    await signIn(buyer, await joinX('desk_buyer'), PHONE);
    await visit(buyer, '/');
    await type(buyer, field('Search ads'), title);
    await buyer.run(() => document.querySelector<HTMLFormElement>('#main search form')?.requestSubmit());
    await see(buyer, text('1 result'));
    await click(buyer, button(`Save ${title}`));
    await see(buyer, text('Added to favorites'));
  });

  await test.step('the photo is upright', async () => {
    // not by the pointer: the toast may lie over the only card, and stays while the pointer is over it
    await buyer.run(async () => document.querySelector<HTMLAnchorElement>('article h3 a')?.click());
    await see(buyer, heading(title));
    const size = await buyer.run(async () => {
      const photo = document.querySelector<HTMLImageElement>('main img[src^="/media/"]');
      await photo?.decode();
      return [photo?.naturalWidth ?? 0, photo?.naturalHeight ?? 0] as const;
    });
    expect(size[1]).toBeGreaterThan(size[0]);
    expect(size[0]).toBeGreaterThanOrEqual(300);
  });

  await test.step('the buyer writes to the seller, who responds', async () => {
    await click(buyer, button('Contact Seller'));
    await type(buyer, field('Write your message...'), QUESTION);
    await click(buyer, button('Send Message'));
    await see(buyer, text(QUESTION));
    await visit(seller, '/messages');
    await see(seller, text('1 new'));
    await click(seller, link('View Conversation'));
    await see(seller, text(QUESTION));
    await type(seller, field('Write your message...'), RESPONSE);
    await click(seller, button('Send Message'));
    await see(seller, text(RESPONSE));
    await see(buyer, text(RESPONSE));
  });

  for (const tab of [seller, buyer]) await expectNoProblems(tab);
});
