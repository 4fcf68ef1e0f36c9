import { expect, test } from 'vitest';
import { readConfig } from '../../config/load.ts';
import { errorHeaders, securityHeaders } from './security.ts';

const hstsOf = (env: Record<string, string>) => {
  const config = readConfig({ PUBLIC_URL: 'https://market.example', ...env });
  const name = 'Strict-Transport-Security';
  expect(errorHeaders(config)).toMatchObject(securityHeaders(config));
  return securityHeaders(config)[name];
};

test('HSTS names subdomains only if the operator asks for it', () => {
  expect(hstsOf({})).toBe('max-age=31536000');
  expect(hstsOf({ HSTS: 'subdomains' })).toBe('max-age=31536000; includeSubDomains');
  expect(hstsOf({ HSTS: 'subdomains', PUBLIC_URL: 'http://localhost' })).toBeUndefined();
  expect(() => hstsOf({ HSTS: 'all' })).toThrow('HSTS must be one of host, subdomains');
});
