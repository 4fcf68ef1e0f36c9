import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createSavedSearch } from '../../../contract/saved-searches.ts';
import { useApiForm } from './use-api-form.ts';

interface Values {
  name: string;
}
type Form = ReturnType<typeof useApiForm<Values>>;

const scope = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
afterEach(() => {
  scope.IS_REACT_ACT_ENVIRONMENT = true;
});

const Page = ({ onOpen }: { onOpen: (form: Form) => void }) => {
  const apiForm = useApiForm<Values>({ endpoint: createSavedSearch, saved: { name: '' } });
  onOpen(apiForm);
  return (
    <select aria-label="Name" {...apiForm.form.register('name')}>
      <option value="">None</option>
      <option value="sofas">Sofas</option>
    </select>
  );
};

test('what a person chooses right after a form was filled anew is kept', () => {
  let opened: Form | undefined;
  render(
    <Page
      onOpen={(form) => {
        opened = form;
      }}
    />,
  );
  const { restart, form } = opened!;
  // as in a browser, where nothing renders what a timer has changed before the next event
  scope.IS_REACT_ACT_ENVIRONMENT = false;
  restart({ name: '' });
  const field = screen.getByLabelText<HTMLSelectElement>('Name');
  field.value = 'sofas';
  field.dispatchEvent(new Event('change', { bubbles: true }));
  expect(form.getValues('name')).toBe('sofas');
  expect(field.value).toBe('sofas');
});
