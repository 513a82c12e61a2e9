/**
 * Keys that the service hands out: `hg_<kind>_`, 43 base62 characters of 256 random bits, 6 of a checksum. They are
 * stored as SHA-256 only. Slow hashes are for passwords, which can be guessed.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Random } from '../ids.js';

/** API keys, tokens of signed-in sessions, and links that work once. */
export const KEY_KINDS = ['key', 'ses', 'once'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is just above 2^256. */
const SECRET_LENGTH = 43;
/** 62^6 is above 2^32. */
const SUM_LENGTH = 6;
const FORM = /^hg_([a-z]+)_[\dA-Za-z]{49}$/;

/** A new key. It is shown once; store {@link hashKey} and {@link lastFour} of it. */
export function newKey(kind: KeyKind, random: Random = randomBytes): string {
  const secret = BigInt(`0x${Buffer.from(random(32)).toString('hex')}`);
  const unsummed = `hg_${kind}_${base62(secret, SECRET_LENGTH)}`;
  return unsummed + checksum(unsummed);
}

/**
 * The kind of a key whose form and checksum are right; `null` for any other text. Such a key may still be unknown or
 * revoked.
 */
export function kindOfKey(text: string): KeyKind | null {
  const kind = KEY_KINDS.find((known) => known === FORM.exec(text)?.[1]);
  if (kind === undefined) return null;
  const [unsummed, sum] = [text.slice(0, -SUM_LENGTH), text.slice(-SUM_LENGTH)];
  return checksum(unsummed) === sum ? kind : null;
}

/** True for a key of this kind, or of any, whose form and checksum are right. To be asked before any look-up. */
export function looksLikeKey(text: string, kind?: KeyKind): boolean {
  const found = kindOfKey(text);
  return found !== null && (kind ?? found) === found;
}

/** SHA-256 of a key, in lower-case hex: what is stored, and what it is looked up by. */
export const hashKey = (text: string): string => sha256(text).toString('hex');

/** The last four characters of a key, by which its owner recognises it. */
export const lastFour = (text: string): string => text.slice(-4);

/**
 * Whether two texts are equal, in a time that tells nothing of either. An empty text equals nothing: it was not set.
 */
export const equalSecrets = (a: string, b: string): boolean =>
  timingSafeEqual(sha256(a), sha256(b)) && a !== '';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** CRC-32 of the prefix and the secret, so that a scanner can tell a key from chance without asking the service. */
const checksum = (unsummed: string): string => base62(BigInt(crc32(unsummed)), SUM_LENGTH);

/** A number in base 62, with leading zeros. */
function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text;
}

const ANYWHERE = new RegExp(`hg_(?:${KEY_KINDS.join('|')})_[\\dA-Za-z]{49}`, 'g');

/** True if one of the service's keys stands anywhere in a text, such as in the value of a header. */
export const containsKey = (text: string): boolean =>
  (text.match(ANYWHERE) ?? []).some((found) => looksLikeKey(found));
