import type { InitialState } from '../../../../contract/initial-state.ts';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';

/** The initial state in the page. Without a server: defaults, signed out. */
export const readInitialState = (): InitialState => {
  const json = document.getElementById('boot')?.textContent;
  return json ? (JSON.parse(json) as InitialState) : { env: DEFAULT_SITE_CONFIG, me: null, data: {} };
};

/** Radix's scroll lock inserts a style element. The CSP requires a nonce, which Radix reads from this global. */
export const passStyleNonce = (): void => {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
  if (nonce) Object.assign(window, { __webpack_nonce__: nonce });
};

interface EarlyClicks {
  keepClick?: (event: Event) => void;
  earlyClick?: Event;
}

/** Runs after hydration: stops recording early clicks (see index.html) and replays the last one. */
export const replayEarlyClick = (): void => {
  const { keepClick, earlyClick } = window as EarlyClicks;
  if (keepClick) document.removeEventListener('click', keepClick, true);
  document.getElementById('late')?.remove();
  // A click that is still being dispatched triggers hydration in React and reaches the button by itself.
  if (!earlyClick || earlyClick.eventPhase !== Event.NONE) return;
  const button = (earlyClick.target as Element).closest('button');
  if (button?.isConnected) button.click();
};
