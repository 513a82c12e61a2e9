/** The address guard: it decides which IP addresses deliveries may reach. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OptionError } from '../../errors.js';
import { GLOBAL_UNICAST, SPECIAL_IPV4, SPECIAL_IPV6 } from './ranges.js';

/** The operator's exceptions to the rule that only public unicast addresses are allowed. */
export interface AddressRules {
  /** CIDR blocks, or single addresses, that are allowed although they are not public: `['127.0.0.0/8', '::1/128']`. */
  readonly allow?: readonly string[];
  /** CIDR blocks, or single addresses, that are refused although they are public. Overrides `allow`. */
  readonly deny?: readonly string[];
}

/** Decides which addresses a delivery may reach. */
export interface AddressGuard {
  /** The purpose of the block of `address`, if it is refused; `null` when it may be reached. */
  refusal(address: string): string | null;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [Address, number];

const named = (ranges: readonly { cidr: string; purpose: string }[]): readonly (readonly [Block, string])[] =>
  ranges.map(({ cidr, purpose }) => [ipaddr.parseCIDR(cidr), purpose]);

const SPECIAL = named([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const GLOBAL: Block = ipaddr.parseCIDR(GLOBAL_UNICAST);
const NAT64: Block = ipaddr.parseCIDR('64:ff9b::/96');

/**
 * Makes the guard that checks connections and saved URLs.
 *
 * @throws {@link OptionError} `invalid_option`, naming every invalid CIDR block.
 */
export function createAddressGuard(rules: AddressRules = {}): AddressGuard {
  const problems: string[] = [];
  const allow = parseBlocks('allow', rules.allow ?? [], problems);
  const deny = parseBlocks('deny', rules.deny ?? [], problems);
  if (problems.length > 0) throw new OptionError('invalid_option', problems.join('; '));

  function judge(address: Address): string | null {
    if (isWithinAny(address, deny)) return 'denied by the operator';
    if (isWithinAny(address, allow)) return isWithin(address, NAT64) ? judge(embedded(address)) : null;
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
 * The address in a text; `null` for other text. IPv6 goes through URL's canonical form, since ipaddr.js would read
 * `::127.0.0.1` as IPv4-mapped, which it is not. An IPv6 address that the runtime's URL does not accept is refused too.
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
  const range = SPECIAL.find(([block]) => isWithin(address, block));
  if (range !== undefined) return range[1];
  if (!(address instanceof ipaddr.IPv6)) return null;
  if (!isWithin(address, GLOBAL)) return 'outside the global unicast space';
  return isIsatap(address) ? 'an ISATAP tunnel' : null;
}

/** True if the interface identifier embeds an IPv4 address by RFC 5214, whatever the prefix is. */
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

/**
 * `null` for an invalid block, and for an IPv4-mapped one, which would match nothing: such blocks are written as IPv4.
 */
function parseBlock(text: unknown): Block | null {
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(String(text)) ?? [];
  const base = parseAddress(address);
  if (base === null) return null;
  const width = base.kind() === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? width : Number(bits);
  return prefix > width || isMapped(base) ? null : [base, prefix];
}
