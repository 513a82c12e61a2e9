/** The options of a publisher, and their checks. */
import { OptionError } from '../errors.js';

/** Options of `createPublisher`. */
export interface PublisherOptions {
  /** The host's address, `https://…` or `http://…`. A path is kept. */
  readonly url: string;
  /** The project's id. */
  readonly project: string;
  /** An API key with the scope `ingest`. */
  readonly key: string;
  /**
   * Id of a channel of type `api`, whose secrets sign the events.
   * @defaultValue the first one of the project
   */
  readonly channel?: string | undefined;
  /**
   * How often an event is tried at most, 1 to 100. Connections that fail, timeouts, and answers with 408, 429 and 5xx
   * are tried again.
   * @defaultValue `6`, which takes up to half a minute
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Longest time for one attempt, in milliseconds.
   * @defaultValue `10_000`
   */
  readonly timeoutMs?: number | undefined;
  /** @defaultValue the runtime's */
  readonly fetch?: typeof fetch | undefined;
}

/** The options, with their defaults. */
export interface Settings {
  /** Such as `https://hooks.example.com/projects/0192…/events`. */
  readonly address: string;
  readonly key: string;
  readonly channel: string | undefined;
  readonly maxAttempts: number;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isUrl = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:\/\/[^\s@?#]+$/i.test(value) && URL.canParse(value);

const CHECKS: Readonly<Record<keyof PublisherOptions, (value: unknown) => boolean>> = {
  url: isUrl,
  project: isText,
  // The error of fetch for a header that cannot be sent would quote the key.
  key: (value) => typeof value === 'string' && /^[!-~]+$/.test(value),
  channel: isText,
  maxAttempts: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100,
  timeoutMs: (value) => typeof value === 'number' && value >= 1 && value <= 2_147_483_647,
  fetch: (value) => typeof value === 'function',
};

/** @throws {@link OptionError} `invalid_option`, naming every option that is unknown or cannot work. */
export function readOptions(options: PublisherOptions): Settings {
  const { url, project, key } = options;
  const given = Object.entries({ ...options, url, project, key }).filter(
    ([name, value]) => value !== undefined || name in { url, project, key },
  );
  const wrong = given.filter(
    ([name, value]) => !(Object.hasOwn(CHECKS, name) && CHECKS[name as keyof PublisherOptions](value)),
  );
  if (wrong.length > 0) {
    throw new OptionError(
      'invalid_option',
      `${wrong.map(([name]) => name).join(', ')}: unknown or invalid; give url (https://…), project, key, and if you like channel, maxAttempts (1 to 100), timeoutMs, fetch`,
    );
  }
  const { channel, maxAttempts = 6, timeoutMs = 10_000, fetch: send = fetch } = options;
  const address = `${url.replace(/\/+$/, '')}/projects/${encodeURIComponent(project)}/events`;
  return { address, key, channel, maxAttempts, timeoutMs, fetch: send };
}
