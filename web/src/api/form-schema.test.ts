import type { FieldValues } from 'react-hook-form';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Amount, Price } from '../../../contract/scalars.ts';
import { text } from '../../../contract/text.ts';
import { createResolver, type FormSchema } from './form-schema.ts';

const check = async (options: FormSchema<FieldValues>, values: FieldValues) => {
  const { errors } = await createResolver(options)(values, undefined, { fields: {}, shouldUseNativeValidation: false });
  return errors;
};
const SAME = 'Please fill in all fields.';
const endpoint = {
  body: z.object({ price: Price, subject: text({ max: 3, required: 'fields.fillAll', tooLong: 'fields.fillAll' }) }),
};

test('the type of an error says that a field is empty, whatever the sentence says', async () => {
  for (const subject of ['', '  ', '\u2800'])
    expect(await check({ endpoint }, { price: '', subject })).toMatchObject({
      price: { type: 'required' },
      subject: { type: 'required', message: SAME },
    });
  expect(await check({ endpoint }, { price: 'cheap', subject: 'long' })).toMatchObject({
    price: { type: 'invalid' },
    subject: { type: 'invalid', message: SAME },
  });
});

test('the message of a field is chosen by its name and the type of the error', async () => {
  const toMessage = (field: string, message: string, type: string) =>
    type === 'required' ? message : `Look at ${field}`;
  expect(await check({ endpoint, toMessage }, { price: 'cheap', subject: '' })).toMatchObject({
    price: { message: 'Look at price' },
    subject: { message: SAME },
  });
});

test('an amount is called an amount', async () => {
  const offer = { endpoint: { body: z.object({ amount: Amount }) } };
  const messageOf = async (amount: string) => (await check(offer, { amount })).amount?.message;
  expect(await messageOf('')).toBe('The amount is required');
  expect(await messageOf('0')).toBe('The amount must be more than 0');
  expect(await messageOf('a lot')).toMatch(/^The amount must be a number/);
});
