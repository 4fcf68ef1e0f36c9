import type { InitialState } from '../../../../contract/initial-state.ts';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';

/** What the server sent with the page; without a server, defaults and nobody signed in. */
export const readInitialState = (): InitialState => {
  const json = document.getElementById('boot')?.textContent;
  return json ? (JSON.parse(json) as InitialState) : { env: DEFAULT_SITE_CONFIG, me: null, data: {} };
};

/** Radix's scroll lock writes a style element and takes the nonce for it, which the CSP demands, from this global. */
export const passStyleNonce = (): void => {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
  if (nonce) Object.assign(window, { __webpack_nonce__: nonce });
};

interface EarlyClicks {
  keepClick?: (event: Event) => void;
  earlyClick?: Event;
}

/** After hydration: stops what index.html did until then, and repeats a click that came before it. */
export const replayEarlyClick = (): void => {
  const { keepClick, earlyClick } = window as EarlyClicks;
  if (keepClick) document.removeEventListener('click', keepClick, true);
  document.getElementById('late')?.remove();
  // A click that is still being dispatched made React hydrate at once, and reaches the button by itself.
  if (!earlyClick || earlyClick.eventPhase !== Event.NONE) return;
  const button = (earlyClick.target as Element).closest('button');
  if (button?.isConnected) button.click();
};
