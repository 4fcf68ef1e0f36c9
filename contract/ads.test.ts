import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createAd } from './ads.ts';
import { LIMITS } from './limits.ts';

const messagesOf = (body: object): string[] => {
  const fields = { title: 'Sofa', description: 'Blue', price: '10', category: 'furniture', ...body };
  return (z.safeParse(createAd.body, fields).error?.issues ?? []).map(({ message }) => message);
};

// The specification has these sentences; the numbers in them come from LIMITS.
test.each([
  [{ title: 'a'.repeat(LIMITS.title + 1) }, 'Title must be less than 100 characters'],
  [{ description: 'a'.repeat(LIMITS.description + 1) }, 'Description must be less than 1000 characters'],
  [{ imageUrls: Array(LIMITS.images + 1).fill('/photos/1') }, 'You can upload a maximum of 5 images.'],
])('a body with too much is refused in the words of the specification: %#', (body, message) => {
  expect(messagesOf({})).toEqual([]);
  expect(messagesOf(body)).toContain(message);
});
