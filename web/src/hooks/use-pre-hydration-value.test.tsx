import { cleanup, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { usePreHydrationValue } from './use-hydrated.ts';

const Form = () => {
  const [text, setText] = useState('drawn');
  const [choice, setChoice] = useState('a');
  return (
    <form>
      <input ref={usePreHydrationValue(text, setText)} value={text} onChange={(event) => setText(event.target.value)} />
      <select
        ref={usePreHydrationValue(choice, setChoice)}
        value={choice}
        onChange={(event) => setChoice(event.target.value)}
      >
        <option>a</option>
        <option>b</option>
      </select>
      <output>{`${text} ${choice}`}</output>
    </form>
  );
};

/** The form as the server renders it. `act` runs before hydration. */
const open = (act: (form: HTMLFormElement) => void) => {
  const container = document.createElement('div');
  container.innerHTML = renderToString(<Form />);
  document.body.append(container);
  act(container.querySelector('form') as HTMLFormElement);
  render(<Form />, { container, hydrate: true });
};
const shown = () => screen.getByRole('status').textContent;

test('what was typed and chosen before the page came alive is taken up', () => {
  open((form) => {
    (form.elements[0] as HTMLInputElement).value = 'typed';
    (form.elements[1] as HTMLSelectElement).value = 'b';
  });
  expect(shown()).toBe('typed b');
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('typed');
  expect(screen.getByRole<HTMLSelectElement>('combobox').value).toBe('b');
});

test('if the user did nothing before hydration, everything stays as rendered', () => {
  open(() => {});
  expect(shown()).toBe('drawn a');
  cleanup();
  render(<Form />);
  expect(shown()).toBe('drawn a');
});
