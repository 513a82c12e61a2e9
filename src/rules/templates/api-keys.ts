/** Redacts strings that look like API keys, anywhere in a webhook's body. */
import type { RedactOp, RuleDocument } from '../rule.js';
import { API_KEYS, type KeyGroup, type LeftEdge, URL_PASSWORDS } from './api-key-shapes.js';

const REDACTED = '[redacted]';

/** Letters and digits before a key that belong to an escape, of JSON text or of a URL. */
const ESCAPE = '(\\\\[nrtbf]|\\\\u00[0-9a-f]{2}|%[0-9A-Fa-f]{2})';

/** The characters that may precede a key of the edge `lone`. */
const SEPARATOR = '([\\s"\'`()[\\]{}<>=:;,/&?!@#|*+“”‘’«»—])';

type Redaction = readonly [regex: string, replace: string];

/**
 * A group has one pattern for each kind of left edge, since a pattern that begins with a few texts is searched for only
 * where they stand. Groups are put back only if the edge is one of several texts: that costs much more.
 */
const REDACTIONS: Readonly<Record<LeftEdge, (shapes: readonly string[]) => readonly Redaction[]>> = {
  none: (shapes) => [[shapes.join('|'), REDACTED]],
  word: (shapes) => [...REDACTIONS.name(shapes), [`_${oneOf(shapes)}`, `_${REDACTED}`]],
  name: (shapes) => [[`\\b${oneOf(shapes)}`, REDACTED], afterEscape(shapes)],
  lone: (shapes) => [
    [`^${oneOf(shapes)}`, REDACTED],
    ...shapes.map((shape): Redaction => [`${SEPARATOR}${shape}`, `$1${REDACTED}`]),
    afterEscape(shapes),
  ],
};

const afterEscape = (shapes: readonly string[]): Redaction => [`${ESCAPE}${oneOf(shapes)}`, `$1${REDACTED}`];

const oneOf = (shapes: readonly string[]): string => `(?:${shapes.join('|')})`;

const opsOf = ({ left, shapes }: KeyGroup): readonly RedactOp[] => REDACTIONS[left](shapes).map(opOf);

const opOf = ([regex, replace]: Redaction): RedactOp => ({
  op: 'redact',
  path: 'data.body',
  regex,
  replace,
  deep: true,
});

/**
 * The match has no pattern, so it is never undecided; a redact that exceeds the work budget fails closed.
 * They run before other transforms could make keys unrecognizable.
 */
export const redactApiKeys: RuleDocument = {
  name: 'Redact API keys',
  description:
    'Strings anywhere in a webhook body that look like API keys, tokens, hook URLs, private keys or passwords in URLs.',
  stage: 'deliver',
  match: { path: 'data.body', op: 'exists' },
  action: {
    type: 'transform',
    ops: [
      ...API_KEYS.flatMap(opsOf),
      ...URL_PASSWORDS.map(({ regex, after }) => opOf([regex, `$1${REDACTED}${after}`])),
    ],
  },
  priority: 10,
};
