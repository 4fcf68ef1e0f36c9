import { expect, test } from 'vitest';
import { addressBucket, clientAddress, isLoopback } from './client-address.ts';

test.each([
  ['without proxies the header is ignored', '9.9.9.9', '1.1.1.1', 0, '9.9.9.9'],
  ['one proxy wrote the last entry', '10.0.0.1', '6.6.6.6, 1.2.3.4', 1, '1.2.3.4'],
  ['two proxies: the last but one', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', 2, '1.2.3.4'],
  ['fewer entries than proxies: the first', '10.0.0.1', '1.2.3.4', 2, '1.2.3.4'],
  ['no header: the peer', '10.0.0.1', undefined, 1, '10.0.0.1'],
  ['no address: the peer', '10.0.0.1', 'unknown', 1, '10.0.0.1'],
  ['IPv4 written as IPv6', '10.0.0.1', '::ffff:1.2.3.4', 1, '1.2.3.4'],
  ['a hundred entries', '10.0.0.1', `${'6.6.6.6, '.repeat(99)}1.2.3.4`, 1, '1.2.3.4'],
])('%s', (_name, peer, header, hops, expected) => {
  expect(clientAddress(peer, header, hops)).toBe(expected);
});

test.each([
  ['1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket);
});

test('all addresses of a /64 are one', () => {
  const buckets = Array.from({ length: 1000 }, (_, i) =>
    addressBucket(`2001:db8:1:2:${i.toString(16)}::${i.toString(16)}`),
  );
  expect(new Set(buckets).size).toBe(1);
});

test('loopback addresses are recognized, addresses that look like them are not', () => {
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].every(isLoopback)).toBe(true);
  expect(['128.0.0.1', '10.0.0.1', undefined, '127.evil'].some(isLoopback)).toBe(false);
});
