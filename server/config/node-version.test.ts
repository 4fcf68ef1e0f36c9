import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isOlder, TESTED_NODE } from './node-version.ts';

test('the image is built on the major version of Node.js that the tests run on', () => {
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  expect(/NODE_IMAGE=node:(\d+)/.exec(dockerfile)?.[1]).toBe(TESTED_NODE.split('.')[0]);
});

test.each([
  ['26.9.3', '26.10.0', true],
  ['20.20.2', '26.10.0', true],
  ['26.10.0', '26.10.0', false],
  ['27.0.0', '26.10.0', false],
])('%s is older than %s: %s', (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});
