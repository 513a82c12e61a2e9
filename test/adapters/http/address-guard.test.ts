/** The address guard: addresses that it refuses, and those that it allows. */
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { createAddressGuard } from '../../../src/adapters/http/address-guard.js';
import { OptionError } from '../../../src/errors.js';

const guard = createAddressGuard();
const v4 = fc.ipV4();
const v6 = fc.ipV6();

describe('laws', () => {
  test('what ipaddr.js does not call unicast is refused', () => {
    fc.assert(
      fc.property(fc.oneof(v4, v6), (address) => {
        fc.pre(ipaddr.process(address).range() !== 'unicast');
        expect(guard.refusal(address)).not.toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test('an IPv4-mapped address is judged as the IPv4 address that it carries', () => {
    fc.assert(
      fc.property(v4, (address) => {
        expect(guard.refusal(`::ffff:${address}`)).toBe(guard.refusal(address));
      }),
    );
  });

  test('no IPv6 address outside 2000::/3 is allowed, but for IPv4-mapped ones', () => {
    fc.assert(
      fc.property(v6, (address) => {
        const parsed = ipaddr.process(address);
        fc.pre(parsed instanceof ipaddr.IPv6 && parsed.parts[0]! >> 13 !== 1);
        expect(guard.refusal(address)).not.toBeNull();
      }),
    );
  });

  test('an allowed block lets everything in it through, and nothing beside it', () => {
    const open = createAddressGuard({ allow: ['10.1.0.0/16'] });
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), fc.nat(255), (b, c, d) => {
        expect(open.refusal(`10.${b}.${c}.${d}`)).toBe(b === 1 ? null : 'private');
      }),
    );
  });

  test('a denied block is refused, whatever else allows it', () => {
    fc.assert(
      fc.property(v4, (address) => {
        const closed = createAddressGuard({ allow: ['0.0.0.0/0'], deny: [address] });
        expect(closed.refusal(address)).toBe('denied by the operator');
        expect(closed.refusal(`::ffff:${address}`)).toBe('denied by the operator');
      }),
    );
  });
});

test.for([
  ['0.0.0.0', 'this network'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.100.100.200', 'carrier-grade NAT'],
  ['100.127.255.255', 'carrier-grade NAT'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['168.63.129.16', "a cloud's host service"],
  ['169.254.169.254', 'link-local'],
  ['169.254.0.1', 'link-local'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'protocol assignments'],
  ['192.0.0.192', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['192.31.196.1', 'AS112'],
  ['192.52.193.1', 'AMT'],
  ['192.88.99.1', '6to4 relay'],
  ['192.168.0.1', 'private'],
  ['192.168.255.255', 'private'],
  ['192.175.48.1', 'AS112'],
  ['198.18.0.1', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.9', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::127.0.0.1', 'IPv4-compatible or reserved'],
  ['::7f00:1', 'IPv4-compatible or reserved'],
  ['::8.8.8.8', 'IPv4-compatible or reserved'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::ffff:10.0.0.1', 'private'],
  ['::ffff:a9fe:a9fe', 'link-local'],
  ['::ffff:0:127.0.0.1', 'IPv4-compatible or reserved'],
  ['::5efe:7f00:1', 'IPv4-compatible or reserved'],
  ['2001:470:1::5efe:7f00:1', 'an ISATAP tunnel'],
  ['2001:470:1:2:200:5efe:7f00:1', 'an ISATAP tunnel'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b::8.8.8.8', 'NAT64'],
  ['64:ff9b:1::a00:1', 'local NAT64'],
  ['100::1', 'discard-only'],
  ['2001::1', 'Teredo'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'Teredo'],
  ['2001:2::1', 'protocol assignments'],
  ['2001:10::1', 'protocol assignments'],
  ['2001:1ff:ffff::1', 'protocol assignments'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4'],
  ['2002:808:808::1', '6to4'],
  ['2620:4f:8000::1', 'AS112'],
  ['3fff::1', 'documentation'],
  ['3fff:fff:ffff::1', 'documentation'],
  ['5f00::1', 'segment routing'],
  ['4000::1', 'outside the global unicast space'],
  ['1fff:ffff::1', 'outside the global unicast space'],
  ['fc00::1', 'private'],
  ['fd00:ec2::254', 'private'],
  ['fd20:ce::254', 'private'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'not an IP address, or one with a zone'],
  ['2606:4700::1111%1', 'not an IP address, or one with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['0177.0.0.1', 'not an IP address, or one with a zone'],
  ['2130706433', 'not an IP address, or one with a zone'],
  ['127.1', 'not an IP address, or one with a zone'],
  ['localhost', 'not an IP address, or one with a zone'],
  ['', 'not an IP address, or one with a zone'],
] as const)('%s is refused: %s', ([address, purpose]) => {
  expect(guard.refusal(address)).toBe(purpose);
});

test.for([
  '1.0.0.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7::1',
  '2003::1',
  '2606:4700::1111',
  '2a00:1450:4001:81b::200e',
  '3ffe::1',
  '2606:4700::5efe',
])('%s is let through', (address) => {
  expect(guard.refusal(address)).toBeNull();
});

describe('operator rules', () => {
  test.for([
    { rules: { allow: ['127.0.0.0/8'] }, address: '127.9.9.9', refusal: null },
    { rules: { allow: ['127.0.0.0/8'] }, address: '::ffff:127.0.0.1', refusal: null },
    { rules: { allow: ['127.0.0.0/8'] }, address: '::1', refusal: 'loopback' },
    { rules: { allow: ['::1'] }, address: '::1', refusal: null },
    { rules: { allow: ['10.0.0.7/8'] }, address: '10.200.0.1', refusal: null },
    { rules: { allow: ['64:ff9b::/96'] }, address: '64:ff9b::8.8.8.8', refusal: null },
    { rules: { allow: ['64:ff9b::/96'] }, address: '64:ff9b::127.0.0.1', refusal: 'loopback' },
    { rules: { allow: ['64:ff9b::/96', '10.0.0.0/8'] }, address: '64:ff9b::10.0.0.1', refusal: null },
    { rules: { allow: ['::/0'] }, address: 'fe80::1', refusal: null },
    { rules: { allow: ['::/0'] }, address: '10.0.0.1', refusal: 'private' },
    { rules: { deny: ['8.8.8.0/24'] }, address: '8.8.8.8', refusal: 'denied by the operator' },
    { rules: { deny: ['8.8.8.0/24'] }, address: '8.8.4.4', refusal: null },
    {
      rules: { deny: ['8.8.8.8'], allow: ['64:ff9b::/96'] },
      address: '64:ff9b::8.8.8.8',
      refusal: 'denied by the operator',
    },
  ])('$rules and $address: $refusal', ({ rules, address, refusal }) => {
    expect(createAddressGuard(rules).refusal(address)).toBe(refusal);
  });

  test('all blocks that are no CIDR are named at once', () => {
    const bad = [
      '127/8',
      '10.0.0.0/33',
      '::1/129',
      'localhost',
      '::ffff:10.0.0.0/104',
      'fe80::1%lo/64',
      '010.0.0.1',
      '',
    ];
    const make = () => createAddressGuard({ allow: ['8.8.8.8', ...bad], deny: ['nonsense'] });
    expect(make).toThrow(OptionError);
    for (const [index, block] of bad.entries()) {
      expect(make).toThrow(`allow[${index + 1}] ${JSON.stringify(block)}: write`);
    }
    expect(make).toThrow('deny[0] "nonsense": write');
    expect(make).not.toThrow('allow[0]');
  });
});
