/**
 * Deliveries as no honest sender makes them, and some honest ones, from a number: the same number gives the same ones.
 */
import { createHmac } from 'node:crypto';
import { BODY, NOW } from './runtimes.js';

/** A small generator of random numbers (mulberry32): fast enough for millions, and of no other use. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 up to, but not including, 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.roll() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.roll() * list.length)] as T;
  }
}

/** How a header writes a time, right and wrong. */
const TIMES = [
  ...[0, -300, -301, 60, 61].map((offset) => String(NOW + offset)),
  `0${NOW}`,
  `${NOW}000`,
  `${NOW}.0`,
  `${NOW} `,
  ` ${NOW}`,
  '1.7e9',
  '-1',
  '',
  '١٧٠٠٠٠٠٠٠٠',
];
const SECRETS = ['whsec_test', 'whsec_test', 'whsec_new', 'whsec_other'];

/** Ways to write a digit of a MAC otherwise. */
const DISGUISES: readonly ((digit: string) => string)[] = [
  (digit) => digit.toUpperCase(),
  (digit) => (digit === '0' ? '1' : '0'),
  (digit) => String.fromCharCode(digit.charCodeAt(0) + 0x100),
  (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xff00),
  (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0),
  (digit) => `${digit}\u0301`,
  () => '\u{1d7d8}',
  () => '\ud800',
  () => '\0',
  () => ' ',
  () => '',
];
const PARTS = [
  'v0=a',
  'k=v=w',
  'x=',
  'v1=',
  't=',
  '=',
  '',
  ' ',
  't',
  'T=1',
  'v1 =a',
  'ß=1',
  '\ud800=1',
  `t=${NOW}`,
];

/** Kept, since there are few: MACs of the test's body. */
const macs = new Map<string, string>();

function macOf(secret: string, t: string): string {
  const name = `${secret} ${t}`;
  const mac = macs.get(name) ?? createHmac('sha256', secret).update(`${t}.${BODY}`).digest('hex');
  macs.set(name, mac);
  return mac;
}

function writeMac(dice: Dice, t: string): string {
  const mac = macOf(dice.pick(SECRETS), t);
  if (dice.chance(0.5)) return mac;
  const at = Math.floor(dice.roll() * 64);
  return mac.slice(0, at) + dice.pick(DISGUISES)(mac.charAt(at)) + mac.slice(at + 1);
}

const writeTime = (dice: Dice): string => (dice.chance(0.6) ? String(NOW) : dice.pick(TIMES));

function writeSignature(dice: Dice, t: string): string {
  const parts = [`t=${t}`];
  if (dice.chance(0.05)) {
    for (let i = 0; i < 15; i++) parts.push('v1=nonsense');
  }
  do parts.push(`v1=${writeMac(dice, t)}`);
  while (dice.chance(0.3));
  if (dice.chance(0.2)) parts.splice(Math.floor(dice.roll() * 3), dice.pick([0, 0, 1]), dice.pick(PARTS));
  if (dice.chance(0.1)) parts.reverse();
  return parts.join(dice.chance(0.95) ? ',' : dice.pick([', ', ';', ',,', '\n']));
}

/** A value as a server, a proxy or a careless host hands it over. */
function shape(dice: Dice, text: string): unknown {
  if (dice.chance(0.85)) return text;
  return dice.pick([
    [text],
    [text],
    [text, text],
    [],
    [7],
    [[text]],
    7,
    true,
    null,
    undefined,
    { text },
    new String(text),
  ]);
}

const spell = (dice: Dice, name: string): string =>
  dice.chance(0.6)
    ? name
    : dice.pick([name.toUpperCase(), name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())]);

export function hostileHeaders(dice: Dice): Record<string, unknown> {
  const headers = Object.create(dice.chance(0.5) ? null : Object.prototype) as Record<string, unknown>;
  const add = (name: string, text: string): void => {
    headers[spell(dice, name)] = shape(dice, text);
  };
  const t = writeTime(dice);
  if (dice.chance(0.97)) add('svc-signature', writeSignature(dice, t));
  if (dice.chance(0.03)) add('svc-signature', writeSignature(dice, t));
  if (dice.chance(0.6)) add('svc-timestamp', dice.chance(0.8) ? t : writeTime(dice));
  if (dice.chance(0.5)) {
    add('svc-origin', dice.chance(0.8) ? 'replay' : dice.pick(['live', 'Live', 'live ', '']));
  }
  if (dice.chance(0.5)) add('svc-event-id', dice.pick(['evt_1', 'evt_1', '', '\ud800', '€']));
  if (dice.chance(0.5)) add('svc-event-type', dice.pick(['webhook.received', '__proto__']));
  if (dice.chance(0.1)) {
    add(dice.pick(['constructor', 'toString', '__proto__', 'svc-signature ', 'size']), 'x');
  }
  return headers;
}
