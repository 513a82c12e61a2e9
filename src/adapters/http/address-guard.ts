/** Decides which addresses deliveries may connect to. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OptionError } from '../../errors.js';
import { GLOBAL_UNICAST, specialIpv4, specialIpv6 } from './ranges.js';

/** The operator's exceptions to "public unicast addresses only". */
export interface AddressRules {
  /** CIDR blocks, or single addresses, that are let through although they are not public: `['127.0.0.0/8', '::1/128']`. */
  readonly allow?: readonly string[];
  /** CIDR blocks, or single addresses, that are refused although they are public; beats `allow`. */
  readonly deny?: readonly string[];
}

/** Decides which addresses a delivery may reach. */
export interface AddressGuard {
  /** What the block of `address` is for, where that is refused; `null` when it may be reached. */
  refusal(address: string): string | null;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [Address, number];

const named = (ranges: readonly { cidr: string; purpose: string }[]): readonly (readonly [Block, string])[] =>
  ranges.map(({ cidr, purpose }) => [ipaddr.parseCIDR(cidr), purpose]);

const special = named([...specialIpv4, ...specialIpv6]);
const global: Block = ipaddr.parseCIDR(GLOBAL_UNICAST);
const nat64: Block = ipaddr.parseCIDR('64:ff9b::/96');

/**
 * Makes the guard that connections and saved URLs are held against.
 *
 * @throws {@link OptionError} `invalid_option`, naming every block that is no CIDR.
 */
export function createAddressGuard(rules: AddressRules = {}): AddressGuard {
  const problems: string[] = [];
  const allow = parseBlocks('allow', rules.allow ?? [], problems);
  const deny = parseBlocks('deny', rules.deny ?? [], problems);
  if (problems.length > 0) throw new OptionError('invalid_option', problems.join('; '));

  function judge(address: Address): string | null {
    if (isWithinAny(address, deny)) return 'denied by the operator';
    if (isWithinAny(address, allow)) return isWithin(address, nat64) ? judge(embedded(address)) : null;
    return purposeOf(address);
  }
  return {
    refusal(address) {
      const parsed = address.includes('%') ? null : parseAddress(address);
      if (parsed === null) return 'not an IP address, or one with a zone';
      return judge(isMapped(parsed) ? embedded(parsed) : parsed);
    },
  };
}

/**
 * `null` for what is no address. ipaddr.js reads `::127.0.0.1` as IPv4-mapped, which it is not: URL's canonical form leaves
 * no room for that. Runtimes differ in what URL takes as IPv6; what it does not take is no address either.
 */
function parseAddress(text: string): Address | null {
  const version = isIP(text);
  if (version === 0) return null;
  if (version === 4) return ipaddr.parse(text);
  const url = `http://[${text}]`;
  return URL.canParse(url) ? ipaddr.parse(new URL(url).hostname.slice(1, -1)) : null;
}

const isMapped = (address: Address): boolean =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();

/** The special purpose of an address; `null` when it is public unicast. */
function purposeOf(address: Address): string | null {
  const range = special.find(([block]) => isWithin(address, block));
  if (range !== undefined) return range[1];
  if (!(address instanceof ipaddr.IPv6)) return null;
  if (!isWithin(address, global)) return 'outside the global unicast space';
  return isIsatap(address) ? 'an ISATAP tunnel' : null;
}

/** Whether the interface part carries an IPv4 address by RFC 5214, under whatever prefix. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;

/** The IPv4 address in the last four bytes. */
const embedded = (address: Address): Address => ipaddr.fromByteArray(address.toByteArray().slice(-4));

const isWithinAny = (address: Address, blocks: readonly Block[]): boolean =>
  blocks.some((block) => isWithin(address, block));

const isWithin = (address: Address, [base, bits]: Block): boolean =>
  address.kind() === base.kind() && address.match(base, bits);

function parseBlocks(option: string, texts: readonly string[], problems: string[]): readonly Block[] {
  const blocks: Block[] = [];
  texts.forEach((text, index) => {
    const block = parseBlock(text);
    if (block === null) {
      problems.push(
        `${option}[${index}] ${JSON.stringify(text)}: write a CIDR block such as 127.0.0.0/8 or ::1/128`,
      );
    } else blocks.push(block);
  });
  return blocks;
}

/** `null` for what is no canonical CIDR, and for IPv4-mapped blocks, which could never match: they are written as IPv4. */
function parseBlock(text: unknown): Block | null {
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(String(text)) ?? [];
  const base = parseAddress(address);
  if (base === null) return null;
  const width = base.kind() === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? width : Number(bits);
  return prefix > width || isMapped(base) ? null : [base, prefix];
}
