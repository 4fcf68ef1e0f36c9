import { act, render, screen } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { expect, test } from 'vitest';
import { useFormValues } from './use-form-values.ts';

interface Values {
  category: string;
  details: Record<string, string>;
  title: string;
}
type Form = UseFormReturn<Values>;

let renders = 0;
const Shown = ({ form }: { form: Form }) => {
  const [category, details] = useFormValues(form, 'category', 'details');
  renders++;
  return <output>{`${category} ${JSON.stringify(details)}`}</output>;
};
const shown = () => screen.getByRole('status').textContent;

/** Changes the category when what follows it is rendered, but not yet mounted. */
const Between = ({ form }: { form: Form }) => {
  useLayoutEffect(() => form.setValue('category', 'vehicles'), [form]);
  return null;
};

const open = (Before?: typeof Between) => {
  let opened: Form | undefined;
  const Page = () => {
    const form = useForm<Values>({ defaultValues: { category: '', details: {}, title: '' } });
    opened = form;
    return (
      <>
        {Before ? <Before form={form} /> : null}
        <Shown form={form} />
      </>
    );
  };
  render(<Page />);
  return opened as Form;
};

test('what changes between the render of a part and its mount is shown', () => {
  open(Between);
  expect(shown()).toBe('vehicles {}');
});

test('the named values are followed, and no others', () => {
  const form = open();
  renders = 0;
  act(() => form.setValue('title', 'Van'));
  expect(renders).toBe(0);
  act(() => form.setValue('details', { fuel: 'petrol' }));
  expect(shown()).toBe(' {"fuel":"petrol"}');
  act(() => form.reset({ category: 'pets', details: {}, title: '' }));
  expect(shown()).toBe('pets {}');
});
