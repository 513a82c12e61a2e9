/** Checks of a source's settings, for when they are saved, and again before they are used. */
import type { Source, SourceSettings } from './source.js';

export type SettingsIssueCode =
  'missing_setting' | 'unexpected_setting' | 'too_many_secrets' | 'invalid_secret' | 'invalid_header_name';

/** A problem of settings. */
export interface SettingsIssue {
  readonly code: SettingsIssueCode;
  /** RFC 6901, into the settings. */
  readonly pointer: string;
  /** Quotes no secret. */
  readonly message: string;
}

/** All problems of the settings for a source. */
export const settingsIssues = (source: Source, settings: SourceSettings): readonly SettingsIssue[] => [
  ...(source.needs.includes('secrets')
    ? secretsIssues(source, settings.secrets)
    : unexpected(source, '/secrets', settings.secrets.length > 0)),
  ...(source.needs.includes('header')
    ? headerIssues(source, settings.header)
    : unexpected(source, '/header', settings.header !== null)),
];

const issue = (code: SettingsIssueCode, pointer: string, message: string): readonly SettingsIssue[] => [
  { code, pointer, message },
];

const unexpected = ({ name }: Source, pointer: string, isGiven: boolean): readonly SettingsIssue[] =>
  isGiven ? issue('unexpected_setting', pointer, `the source ${name} has no use for it: leave it out`) : [];

/** Most secrets of a channel at a time. */
const MAX_SECRETS = 16;
const MAX_SECRET_LENGTH = 1_000;

function secretsIssues(source: Source, secrets: readonly string[]): readonly SettingsIssue[] {
  const { length } = secrets;
  if (length === 0) return issue('missing_setting', '/secrets', `the source ${source.name} needs a secret`);
  if (length > MAX_SECRETS) {
    return issue('too_many_secrets', '/secrets', `${length} secrets: give at most ${MAX_SECRETS}`);
  }
  return secrets.flatMap((secret, i) => {
    const problem = secretProblem(source, secret);
    return problem === null ? [] : issue('invalid_secret', `/secrets/${i}`, `the secret ${problem}`);
  });
}

/** Texts made from other values, such as `undefined`. Anyone can guess such a secret. */
const NO_SECRET = /^(?:undefined|null|\[object \w+\])$/;

function secretProblem(source: Source, secret: string): string | null {
  if (secret === '') return 'is empty';
  if (secret.length > MAX_SECRET_LENGTH) return `has more than ${MAX_SECRET_LENGTH} characters`;
  if (NO_SECRET.test(secret)) return 'is the text of a missing value: is the variable set?';
  if (/[\p{Cc}\p{Surrogate}]/u.test(secret)) return 'has a line break or another control character';
  return source.secretProblem(secret);
}

/** A token of RFC 9110, 5.6.2. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

/** Headers that HTTP or the service itself has a use for. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'idempotency-key',
  'transfer-encoding',
  'upgrade',
]);

function headerIssues({ name }: Source, header: string | null): readonly SettingsIssue[] {
  const pointer = '/header';
  if (header === null) {
    return issue('missing_setting', pointer, `the source ${name} needs the name of a header`);
  }
  if (!HEADER_NAME.test(header)) {
    return issue(
      'invalid_header_name',
      pointer,
      'not a header name: give 1 to 100 letters, digits and hyphens',
    );
  }
  if (!RESERVED_HEADERS.has(header.toLowerCase())) return [];
  return issue('invalid_header_name', pointer, `${header} has another meaning: choose another name`);
}
