import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { newWord } from './content.ts';
import { inspect } from './inspect.ts';
import { joinX, signInAs } from './people.ts';

const give = async (page: Page, name: string, text: string) => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).press('Enter');
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
};

for (const isPhone of [false, true])
  test(`a table of other columns is previewed, imported, changed and imported again, ${isPhone ? 'on a phone' : 'at a desk'}`, async ({
    browser,
  }) => {
    const word = newWord('Stuhl');
    const { page, problems, close } = await signInAs(browser, await joinX('importer'), isPhone);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const at = isPhone ? 'phone' : 'desk';
    await page.goto('/dashboard');
    await expectAlive(page);
    await page.getByRole('link', { name: 'Import ads' }).click();
    await expect(page.getByRole('heading', { name: 'Import ads', level: 1 })).toBeVisible();
    await inspect(page, `import-none-${at}`);

    const head = 'Artikel;Worum es geht;Preis;Rubrik';
    const file = (price: string) =>
      [
        head,
        `${word} Eiche;Vier Stück;${price};Möbel`,
        'Tisch;Kiefer;zwanzig;Möbel',
        ';Ohne Titel;1,00;Möbel',
        '=1+1;Rechnet;x;Möbel',
      ].join('\r\n');

    await test.step('a file that is empty says so, and changes nothing', async () => {
      await give(page, 'leer.csv', '');
      await expect(page.getByText('The file is empty.')).toBeVisible();
    });

    await test.step('its columns are asked for', async () => {
      await give(page, 'anzeigen.csv', file('10,50'));
      await expect(page.getByText('No column is the title yet.')).toBeVisible();
      await page.getByLabel('What “Artikel” means').selectOption('Title');
      await page.getByLabel('What “Worum es geht” means').selectOption('Description');
      await page.getByLabel('How prices are written').selectOption('1234,50 (comma)');
      await inspect(page, `import-columns-${at}`);
      await page.getByRole('button', { name: 'Read the file again' }).click();
      await page.getByLabel('Möbel').selectOption('Furniture');
      await page.getByRole('button', { name: 'Read the file again' }).click();
    });

    await test.step('the preview names what is wrong', async () => {
      await expect(page.getByRole('heading', { name: 'Preview of anzeigen.csv' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Wrong 3' })).toHaveAttribute('aria-pressed', 'true');
      await expect(page.getByText('Line 3, Preis: "zwanzig" is no number.')).toBeVisible();
      await inspect(page, `import-preview-${at}`);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download all mistakes (CSV)' }).click();
      const csv = readFileSync(await (await download).path(), 'utf8');
      expect(csv).toMatch(/^\uFEFFline,column,what,how,id,title\r\n3,Preis,/);
      // a spreadsheet runs nothing that the file says
      expect(csv).toContain("'=1+1");
      await page.getByLabel('Import nothing if a row is wrong').check();
      await expect(page.getByText('Nothing is imported as long as a row is wrong.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Import 1 ad' })).toBeDisabled();
      await page.getByLabel('Import nothing if a row is wrong').uncheck();
    });

    await test.step('after a reload it goes on', async () => {
      await page.reload();
      await expectAlive(page);
      await expect(page.getByText('choose the file again.')).toBeVisible();
      await page.getByRole('button', { name: 'New 1' }).click();
      await expect(page.getByText(`${word} Eiche`)).toBeVisible();
      await page.getByRole('button', { name: 'Import 1 ad' }).click();
      await expect(page.getByRole('heading', { name: 'The import is done' })).toBeVisible();
      await inspect(page, `import-done-${at}`);
    });

    await test.step('the second file changes what changed', async () => {
      // the columns have no id: an ad without one is known by its title
      await give(page, 'anzeigen-2.csv', file('9,00'));
      await expect(page.getByText('As you chose it for an earlier file with these columns.')).toBeVisible();
      await page.getByRole('button', { name: 'Import 1 ad' }).click();
      await expect(page.getByRole('heading', { name: 'The import is done' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Earlier imports' })).toBeVisible();
      await inspect(page, `import-history-${at}`);
      await page.getByRole('link', { name: 'View my ads' }).click();
      await expect(page.getByText(`${word} Eiche`).first()).toBeVisible();
    });
    expect(problems).toEqual([]);
    await close();
  });

test('the prices of a shop are read with the decimal sign that is chosen', async ({ browser }) => {
  const word = newWord('Stuhl');
  const { page, problems, close } = await signInAs(browser, await joinX('importer'));
  await page.goto('/dashboard?tab=import');
  await expectAlive(page);
  const shop = `ID,Type,SKU,Name,Published,Description,Regular price,Categories\r\n1,simple,a,${word} Eiche,1,Vier Stück,"1.210,50",Furniture`;
  await give(page, 'laden.csv', shop);
  await expect(page.getByText('Choose how prices are written, or write 1234.50.')).toBeVisible();
  await page.getByLabel('How prices are written').selectOption('1234,50 (comma)');
  await page.getByRole('button', { name: 'Read the file again' }).click();
  await page.getByRole('button', { name: 'Import 1 ad' }).click();
  await expect(page.getByRole('heading', { name: 'The import is done' })).toBeVisible();
  await page.getByRole('link', { name: 'View my ads' }).click();
  await expect(page.getByText('$1,210.50').first()).toBeVisible();
  expect(problems).toEqual([]);
  await close();
});
