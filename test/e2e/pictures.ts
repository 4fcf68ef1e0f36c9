import { join } from 'node:path';
import type { Page } from '@playwright/test';

const PICTURES = join(import.meta.dirname, '../screenshots');

export const takePicture = async (page: Page, name: string, fullPage = false): Promise<void> => {
  if (!process.env.CI) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
};
