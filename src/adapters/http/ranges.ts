/** Blocks of IP addresses that are not public, from IANA's registries. */

/** A block of addresses that no delivery may reach. */
export interface SpecialRange {
  readonly cidr: string;
  /** The purpose of the block, in a word or two. */
  readonly purpose: string;
}

/**
 * Every IPv4 block that is not a public unicast address of one host.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
export const SPECIAL_IPV4: readonly SpecialRange[] = [
  { cidr: '0.0.0.0/8', purpose: 'this network' },
  { cidr: '10.0.0.0/8', purpose: 'private' },
  { cidr: '100.64.0.0/10', purpose: 'carrier-grade NAT' },
  { cidr: '127.0.0.0/8', purpose: 'loopback' },
  { cidr: '168.63.129.16/32', purpose: "a cloud's host service" }, // Azure's WireServer, in public space
  { cidr: '169.254.0.0/16', purpose: 'link-local' }, // cloud metadata: 169.254.169.254
  { cidr: '172.16.0.0/12', purpose: 'private' },
  { cidr: '192.0.0.0/24', purpose: 'protocol assignments' },
  { cidr: '192.0.2.0/24', purpose: 'documentation' },
  { cidr: '192.31.196.0/24', purpose: 'AS112' },
  { cidr: '192.52.193.0/24', purpose: 'AMT' },
  { cidr: '192.88.99.0/24', purpose: '6to4 relay' },
  { cidr: '192.168.0.0/16', purpose: 'private' },
  { cidr: '192.175.48.0/24', purpose: 'AS112' },
  { cidr: '198.18.0.0/15', purpose: 'benchmarking' },
  { cidr: '198.51.100.0/24', purpose: 'documentation' },
  { cidr: '203.0.113.0/24', purpose: 'documentation' },
  { cidr: '224.0.0.0/4', purpose: 'multicast' },
  { cidr: '240.0.0.0/4', purpose: 'reserved' },
];

/**
 * IPv6 blocks by purpose. Addresses outside of {@link GLOBAL_UNICAST} are refused even if they are not listed.
 *
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export const SPECIAL_IPV6: readonly SpecialRange[] = [
  { cidr: '::/128', purpose: 'unspecified' },
  { cidr: '::1/128', purpose: 'loopback' },
  { cidr: '64:ff9b::/96', purpose: 'NAT64' },
  { cidr: '64:ff9b:1::/48', purpose: 'local NAT64' },
  { cidr: '::/8', purpose: 'IPv4-compatible or reserved' },
  { cidr: '100::/64', purpose: 'discard-only' },
  { cidr: '2001::/32', purpose: 'Teredo' },
  { cidr: '2001::/23', purpose: 'protocol assignments' },
  { cidr: '2001:db8::/32', purpose: 'documentation' },
  { cidr: '2002::/16', purpose: '6to4' },
  { cidr: '2620:4f:8000::/48', purpose: 'AS112' },
  { cidr: '3fff::/20', purpose: 'documentation' },
  { cidr: '5f00::/16', purpose: 'segment routing' },
  { cidr: 'fc00::/7', purpose: 'private' },
  { cidr: 'fe80::/10', purpose: 'link-local' },
  { cidr: 'fec0::/10', purpose: 'site-local' },
  { cidr: 'ff00::/8', purpose: 'multicast' },
];

/** The only block from which IPv6 hosts on the internet have addresses. */
export const GLOBAL_UNICAST = '2000::/3';
