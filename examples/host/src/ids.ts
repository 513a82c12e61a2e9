/** Ids that sort by time: UUIDv7 for all resources, and `evt_…` for events. Times are Unix milliseconds. */
import { randomBytes } from 'node:crypto';

/** Returns as many random bytes as it is asked for. */
export type Random = (length: number) => Uint8Array;

const POOL_BYTES = 4_096;
let pool = new Uint8Array();

/**
 * Random bytes for ids and initialization vectors, which are not secret. The system is asked for many at a time, since
 * each call takes microseconds.
 */
export const pooledRandom: Random = (length) => {
  if (pool.length < length) pool = randomBytes(Math.max(POOL_BYTES, length));
  const bytes = pool.subarray(0, length);
  pool = pool.subarray(length);
  return bytes;
};

/** Ids have 48 bits of time, enough until the year 10889. */
const END_OF_TIME = 2 ** 48;

/**
 * A new UUIDv7 in lower case. Ids of one millisecond have no order among themselves.
 *
 * @throws RangeError unless `at` is an integer from 0 to 2^48 - 1.
 * @see RFC 9562, 5.7
 */
export function newId(at: number, random: Random = pooledRandom): string {
  const time = checkTime(at).toString(16).padStart(12, '0');
  const noise = Buffer.from(random(10));
  noise[0] = (noise[0]! & 0x0f) | VERSION;
  noise[2] = (noise[2]! & 0x3f) | VARIANT;
  const rest = noise.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8)}`;
}

/**
 * The lowest UUIDv7 of an instant: ids that {@link newId} makes at `at` or later are greater, all others are less.
 *
 * @throws RangeError unless `at` is an integer from 0 to 2^48 - 1.
 */
export function firstIdAt(at: number): string {
  const time = checkTime(at).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The version (7) is the upper half of the first byte after the time. */
const VERSION = 0x70;
/** The variant (0b10) is the top of the third. */
const VARIANT = 0x80;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** True for a UUID of any version, in upper or lower case. The ids that {@link newId} makes are in lower case. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Crockford's base32. Its characters are in ASCII order, so texts of one length sort as their numbers do. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const NOISE_LENGTH = 16;
const EVENT_ID = /^evt_[0-7][\dA-HJKMNP-TV-Z]{25}$/;

/** True for `evt_` and 26 characters of Crockford base32 in upper case, which begin with 48 bits of time. */
export const isEventId = (text: string): boolean => EVENT_ID.test(text);

/**
 * Makes a source of event ids, each greater than all before it, also within one millisecond. While the clock is behind
 * the last id, ids keep the time of that one: take the event's `received_at` from its id with {@link timeOfEventId}, so
 * that both orders agree.
 *
 * @returns A function of the time. It throws a RangeError unless that is an integer from 0 to 2^48 - 1.
 */
export function createEventIds(random: Random = pooledRandom): (at: number) => string {
  let last = -1;
  let time = '';
  let noise = new Uint8Array();
  return (at) => {
    if (checkTime(at) > last) {
      last = at;
      time = base32(at);
      noise = Uint8Array.from(random(NOISE_LENGTH), (byte) => byte & 31);
      // The top bit stays free, so that 2^79 increments cannot overflow.
      noise[0]! &= 15;
    } else {
      increment(noise);
    }
    let id = `evt_${time}`;
    for (const digit of noise) id += BASE32[digit]!;
    return id;
  };
}

/** Adds one to a number in base 32, most significant digit first. */
function increment(digits: Uint8Array): void {
  let at = digits.length - 1;
  while (digits[at] === 31) digits[at--] = 0;
  digits[at]!++;
}

/**
 * The lowest event id of an instant: ids of events at `at` or later are equal or greater, all others are less. Times
 * before 1970 and after the year 10889 give bounds below and above all ids.
 *
 * @param at - May have a fraction.
 * @throws RangeError for NaN.
 */
export function firstEventIdAt(at: number): string {
  if (Number.isNaN(at)) throw new RangeError('The time of an event id is NaN: give Unix milliseconds');
  const time = Math.min(Math.max(Math.ceil(at), 0), END_OF_TIME);
  return `evt_${base32(time)}${'0'.repeat(NOISE_LENGTH)}`;
}

/** A bound between an event and the next one: beyond its id and those of its deliveries, which continue it. */
export const boundAfter = (eventId: string): string => `${eventId};`;

/**
 * The time at which an event id was made.
 *
 * @throws RangeError for text that is not an event id; see {@link isEventId}.
 */
export function timeOfEventId(id: string): number {
  if (!isEventId(id)) throw new RangeError('Not an event id: ask isEventId first');
  let time = 0;
  for (let i = 4; i < 4 + TIME_LENGTH; i++) time = time * 32 + BASE32.indexOf(id.charAt(i));
  return time;
}

/** A time as 10 digits of base 32. */
function base32(time: number): string {
  let text = '';
  for (let rest = time; text.length < TIME_LENGTH; rest = Math.floor(rest / 32)) {
    text = BASE32.charAt(rest % 32) + text;
  }
  return text;
}

function checkTime(at: number): number {
  if (Number.isInteger(at) && at >= 0 && at < END_OF_TIME) return at;
  throw new RangeError(`The time of an id is ${at}: give whole Unix milliseconds`);
}
