import { beforeEach, expect, test } from 'vitest';
import { dropTracking } from './tracking.ts';

beforeEach(() => history.replaceState({ idx: 3 }, '', '/'));

const PARAMETERS = [
  ...['utm_source', 'utm_medium', 'utm_campaign', 'fbclid', 'gclid', 'dclid', 'ttclid', 'twclid', 'yclid', 'msclkid'],
  ...['gbraid', 'wbraid', 'igshid', 'mc_cid', 'mc_eid', 'ref_src'],
];

test.each(PARAMETERS)('%s leaves the address bar, and what is a filter stays', (name) => {
  history.replaceState({ idx: 3 }, '', `/?search=oak+table&${name}=a%20b&category=furniture#list`);
  dropTracking();
  expect(location.pathname + location.search + location.hash).toBe('/?search=oak+table&category=furniture#list');
  expect(history.state).toEqual({ idx: 3 });
});

test('other addresses stay as they are, letter by letter', () => {
  history.replaceState(null, '', '/?search=oak%20table&utmost=1&x=connected');
  dropTracking();
  expect(location.search).toBe('?search=oak%20table&utmost=1&x=connected');
});
