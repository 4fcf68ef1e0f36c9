import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { nameDevice } from './browser-passkeys.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';

const press = () => fireEvent.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
const show = () => {
  const element = <PasskeySignIn onSignedIn={() => {}} />;
  renderAt({ routes: [{ path: '/', element }], at: '/', boot: { me: sampleMe() } });
};
const OPTIONS = 'POST /api/auth/passkey/options';
const alert = async () => (await screen.findByRole('alert')).textContent;

test('a browser without passkeys says which ones have them', async () => {
  const json = { rpId: 'localhost', challenge: 'AAAA', timeout: 1, userVerification: 'required' };
  fakeApi({ [OPTIONS]: { json } });
  show();
  press();
  expect(await alert()).toContain('Open the site in a current version of');
});

test('a refusal of the server is shown in its words', async () => {
  fakeApi({ [OPTIONS]: { status: 429, json: { code: 'rate_limited', message: 'Please wait a moment.' } } });
  show();
  press();
  expect(await alert()).toBe('Please wait a moment.');
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36', 'Chrome on Windows'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36 Edg/131.0', 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/131.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['something else', 'Passkey'],
])('%s is named', (userAgent, name) => expect(nameDevice(userAgent)).toBe(name));
