import type { InitialState } from '../../../../contract/initial-state.ts';
import { DEFAULT_SITE_CONFIG } from './page-title.tsx';

/** What the server sent along with the page; without a server, defaults and nobody signed in. */
export const readInitialState = (): InitialState => {
  const json = document.getElementById('boot')?.textContent;
  return json ? (JSON.parse(json) as InitialState) : { env: DEFAULT_SITE_CONFIG, me: null, data: {} };
};

/** Radix's scroll lock writes a style element; this is where it looks for the nonce that the policy asks of those. */
export const passStyleNonce = (): void => {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
  if (nonce) Object.assign(window, { __webpack_nonce__: nonce });
};

interface EarlyClicks {
  keepClick?: (event: Event) => void;
  earlyClick?: Event;
}

/** The page listens now: what index.html did in its place ends, and a click that came too early is made again. */
export const replayEarlyClick = (): void => {
  const { keepClick, earlyClick } = window as EarlyClicks;
  if (keepClick) document.removeEventListener('click', keepClick, true);
  document.getElementById('late')?.remove();
  // A click that is still on its way made React take over at once, and gets there by itself.
  if (!earlyClick || earlyClick.eventPhase !== Event.NONE) return;
  const button = (earlyClick.target as Element).closest('button');
  if (button?.isConnected) button.click();
};
