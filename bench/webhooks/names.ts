/** Names that webhooks are full of. The nth name is always the same, and its neighbors tell nothing about it. */
import { scatter } from './random.js';

const SYLLABLES =
  'ba be bri ca cen co cra da del do dra el en far fi ga gor hal hi in jo ka ken la lin lo ma mer mi mon na ne nor o per pi qua ra ren ri ro sa sen shi sta ta tel ter ti tor tra u ul va ven vi wa wil xo ya zen zo'.split(
    ' ',
  );

/** Two to four syllables. */
export function word(n: number): string {
  let rest = scatter(n, 0x51ab);
  let text = '';
  for (let left = 2 + (rest % 3); left > 0; left--) {
    text += SYLLABLES[rest % SYLLABLES.length] as string;
    rest = scatter(rest, left);
  }
  return text;
}

const code = (n: number, salt: number): string => scatter(n, salt).toString(36).padStart(7, '0');

/** Such as `acct_0k2j3f9z0x1c4b`. */
export const account = (n: number): string => `acct_${code(n, 1)}${code(n, 2)}`;

/** Such as `mertor-labs/`; few are longer than twenty letters. */
export const organization = (n: number): string =>
  `${word(n)}${['', '-labs', '-hq', `-${word(n + 7)}`, String(n % 100)][scatter(n, 3) % 5]}${code(n, 4).slice(0, 3)}/`;

/** Such as `@mail.corvenda.io`. */
export const domain = (n: number): string =>
  `@${['', '', '', 'mail.', 'eu.'][scatter(n, 5) % 5]}${word(n)}${word(n + 3)}${code(n, 6).slice(0, 3)}.${['com', 'com', 'com', 'io', 'org', 'de', 'co.uk'][scatter(n, 8) % 7]}`;

/** Such as `TSK-48213-B`. */
export const sku = (n: number): string =>
  `${word(n).slice(0, 3).toUpperCase()}-${scatter(n, 9) % 100_000}-${'ABCDEFGH'[n % 8]}${n % 1000}`;

/** A running number, as in `ord-48213-x`. */
export const orderNumber = (n: number): number => 10_000 + n;
