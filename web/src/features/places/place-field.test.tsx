import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { type FormEvent, useState } from 'react';
import { expect, test, vi } from 'vitest';
import type { Place } from '../../../../contract/places.ts';
import type { Me } from '../../../../contract/user.ts';
import { Announcer } from '../../lib/announcer.tsx';
import { type Answers, fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { Sheet } from '../../ui/overlays.tsx';
import { PlaceField } from './place-field.tsx';

const place = (id: string, name: string, rest: string): Place => ({
  id,
  name,
  region: null,
  country: 'DE',
  label: `${name}, ${rest}`,
});
const ASKED = 'GET /api/places?q=';
const BERLIN = place('2950159', 'Berlin', 'State of Berlin, DE');
const BERGEN = place('3161732', 'Bergen', 'NO');
const HAMBURG = place('2911298', 'Hamburg', 'DE');

type Changes = (text: string, place: Place | null) => void;

const Field = ({ mustChoose, onChange }: { mustChoose: boolean; onChange: Changes }) => {
  const [text, setText] = useState('');
  const handleChange: Changes = (typed, place) => {
    onChange(typed, place);
    setText(typed);
  };
  return <PlaceField label="Location" hint="City" error="Wrong" {...{ text, mustChoose }} onChange={handleChange} />;
};

interface Opening {
  mustChoose?: boolean;
  answers?: Answers;
  me?: Me;
}
const open = ({ mustChoose = false, answers = {}, me }: Opening = {}) => {
  const api = fakeApi({
    [`${ASKED}ber`]: { json: [BERLIN, BERGEN] },
    [`${ASKED}ham`]: { json: [HAMBURG] },
    ...answers,
  });
  const changes = vi.fn<Changes>();
  const submits = vi.fn((event: FormEvent) => event.preventDefault());
  const form = (
    <form onSubmit={submits}>
      <Field mustChoose={mustChoose} onChange={changes} />
      <Announcer />
    </form>
  );
  renderAt({ routes: [{ path: '/', element: form }], ...(me && { boot: { me } }) });
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Location' });
  act(() => field.focus());
  const type = (value: string) => fireEvent.input(field, { target: { value } });
  const press = (key: string) => fireEvent.keyDown(field, { key });
  return { api, field, type, press, changes, submits };
};
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

test('suggests places as one types, and is described by its hint and error', async () => {
  const { field, type, changes } = open();
  expect([field.getAttribute('aria-expanded'), field.getAttribute('aria-invalid')]).toEqual(['false', 'true']);
  const described = field.getAttribute('aria-describedby')!.split(' ');
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(['City', 'Wrong']);
  type('ber');
  const list = await screen.findByRole('listbox', { name: 'Places' });
  expect([field.getAttribute('aria-expanded'), field.getAttribute('aria-controls')]).toEqual(['true', list.id]);
  expect(options()).toEqual(['Berlin State of Berlin, DE', 'Bergen NO']);
  expect(document.getElementById('announcer')?.textContent).toBe('2 suggestions');
  expect(changes.mock.calls).toEqual([['ber', null]]);
});

test('the arrows and Enter choose a place; typing on forgets it', async () => {
  const { field, type, press, changes, submits, api } = open();
  type('ber');
  await screen.findByRole('listbox');
  press('ArrowDown');
  press('ArrowDown');
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('Bergen NO');
  expect(press('Enter'), 'not the form’s to handle').toBe(false);
  await waitFor(() => expect(field.getAttribute('aria-expanded')).toBe('false'));
  expect(changes).toHaveBeenLastCalledWith('Bergen, NO', BERGEN);
  expect([field.value, screen.queryByRole('listbox'), document.activeElement]).toEqual(['Bergen, NO', null, field]);
  type('ham');
  expect(changes).toHaveBeenLastCalledWith('ham', null);
  await waitFor(() => expect(options()).toEqual(['Hamburg DE']));
  expect(api.asked).toEqual([`${ASKED}ber`, `${ASKED}ham`]);
  expect(submits).not.toHaveBeenCalled();
});

test('a tap chooses a place', async () => {
  const { field, type, changes } = open();
  type('ham');
  fireEvent.click(await screen.findByRole('option'));
  expect(changes).toHaveBeenLastCalledWith('Hamburg, DE', HAMBURG);
  expect(field.value).toBe('Hamburg, DE');
});

test('any text will do: without suggestions or the server it stays, and Enter is the form’s', async () => {
  const { field, type, press, api } = open({
    answers: { [`${ASKED}barn`]: { json: [] }, [`${ASKED}shed`]: { status: 503, json: {} } },
  });
  for (const text of ['barn', 'shed']) {
    type(text);
    await waitFor(() => expect(api.asked.at(-1)).toBe(`${ASKED}${text}`));
    await act(async () => {});
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(press('Enter')).toBe(true);
    expect(field.value).toBe(text);
  }
  expect(document.querySelector('p.shadow-dialog')).toBeNull();
});

test('where a place must be chosen, Enter takes the first one', async () => {
  const { type, press, changes } = open({ mustChoose: true });
  type('ber');
  await screen.findByRole('listbox');
  expect(press('Enter')).toBe(false);
  expect(changes).toHaveBeenLastCalledWith('Berlin, State of Berlin, DE', BERLIN);
});

test('a replica of the previous release, which sends no label, is understood', async () => {
  const { label: _, ...unlabelled } = BERLIN;
  const { type, press, changes } = open({ mustChoose: true, answers: { [`${ASKED}ber`]: { json: [unlabelled] } } });
  type('ber');
  await screen.findByRole('listbox');
  press('Enter');
  expect(changes).toHaveBeenLastCalledWith('Berlin', { ...BERLIN, label: 'Berlin' });
});

test('where a place must be chosen, Enter never takes one of an earlier text', async () => {
  const { type, press, changes } = open({ mustChoose: true });
  type('ber');
  await screen.findByRole('listbox');
  type('ham');
  press('Enter');
  expect(changes).toHaveBeenLastCalledWith('ham', null);
  await waitFor(() => expect(options()).toEqual(['Hamburg DE']));
  press('Enter');
  expect(changes).toHaveBeenLastCalledWith('Hamburg, DE', HAMBURG);
});

test.each([
  [{ json: [] }, 'No city begins with this.'],
  [{ status: 503, json: {} }, 'The cities could not be loaded. Please try again.'],
])('where a place must be chosen, it says why there is none: %j', async (answer, note) => {
  const { type } = open({ mustChoose: true, answers: { [`${ASKED}xyz`]: answer } });
  type('xyz');
  expect((await screen.findAllByText(note)).length).toBe(2);
  expect(document.getElementById('announcer')?.textContent).toBe(note);
  expect(screen.queryByRole('listbox')).toBeNull();
});

test.each([false, true])(
  'before one types, the places of the own last ads are proposed (must choose: %s)',
  async (mustChoose) => {
    const answers = { 'GET /api/places/used': { json: [HAMBURG, BERGEN] } };
    const { field, type, press, changes } = open({ mustChoose, answers, me: sampleMe() });
    await screen.findByRole('listbox');
    expect(options()).toEqual(['Hamburg DE', 'Bergen NO']);
    press('Enter');
    expect(changes, 'nothing was chosen').not.toHaveBeenCalled();
    press('ArrowDown');
    press('Enter');
    expect(changes).toHaveBeenLastCalledWith('Hamburg, DE', HAMBURG);
    expect([field.value, screen.queryByRole('listbox')]).toEqual(['Hamburg, DE', null]);
    type('ber');
    await waitFor(() => expect(options()).toEqual(['Berlin State of Berlin, DE', 'Bergen NO']));
  },
);

test('a visitor is asked for no places of ads', async () => {
  const { api, field } = open();
  fireEvent.blur(field);
  await act(async () => {});
  expect(api.asked).toEqual([]);
});

test('in a sheet, Escape closes the list before the sheet', async () => {
  fakeApi({ [`${ASKED}ber`]: { json: [BERLIN] } });
  const onClose = vi.fn();
  const sheet = (
    <Sheet open onOpenChange={onClose} title="Filters">
      <Field mustChoose onChange={() => {}} />
    </Sheet>
  );
  renderAt({ routes: [{ path: '/', element: sheet }] });
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Location' });
  act(() => field.focus());
  fireEvent.input(field, { target: { value: 'ber' } });
  await screen.findByRole('listbox');
  fireEvent.keyDown(field, { key: 'Escape' });
  expect([screen.queryByRole('listbox'), onClose.mock.calls.length, field.value]).toEqual([null, 0, 'ber']);
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
});
