/** Sending to the URL that a user names: the addresses that are allowed, and the line that says how it went. */
import type { AttemptOutcome } from '../delivery/index.js';
import { UsageError } from './context.js';
import { type Part, styled } from './output/printer.js';

/** The user names the URL: every address may be called, of this machine and of private networks too. */
export const ANYWHERE = ['0.0.0.0/0', '::/0'];

/**
 * Checks a URL. `localhost:3000` parses as a URL of the scheme `localhost:`, so a missing `http://` needs a message of
 * its own.
 *
 * @param name - The argument or the option, for messages.
 * @throws {@link UsageError}
 */
export function assertUrl(name: string, text: string): void {
  if (/^https?:\/\//i.test(text)) return;
  const withScheme = `http://${text}`;
  const isAddress = !/^\w+:\/\//.test(text) && URL.canParse(withScheme);
  throw new UsageError(
    isAddress
      ? `${name} has no http:// or https://: give ${withScheme}`
      : `${name} must begin with http:// or https://`,
  );
}

/** The answer of a receiver, or why there is none. */
export const answerLine = (outcome: AttemptOutcome, ms: number): readonly Part[] => [
  '<-- ',
  outcome.ok
    ? styled('green', String(outcome.status))
    : styled('red', [outcome.status, outcome.failure].filter((word) => word !== undefined).join(' ')),
  ` ${ms} ms`,
  outcome.ok ? '' : `: ${outcome.detail}`,
];
