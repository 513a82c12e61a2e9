/** The options of a client, and their checks. */
import { OptionError } from '../errors.js';
import type { Hello } from './frames.js';
import type { WebSocketConstructor } from './web-socket.js';

/** Options of `createClient`. */
export interface ClientOptions {
  /** The host's address, `https://…` or `http://…`. A path is kept, and the protocol's own path follows it. */
  readonly url: string;
  /** The project's id. */
  readonly project: string;
  /** An API key with the scope `receive`. It goes into the first frame, never into an address. */
  readonly key: string;
  /**
   * 1 to 100 letters, digits, `.`, `_` and `-`, for which the host keeps a cursor in the log. Without a name, the
   * client gets what happens while it is connected.
   */
  readonly name?: string | undefined;
  /** The start of a new name: after an event's id, or at an ISO 8601 time. A known name goes on from its cursor. */
  readonly from?: string | undefined;
  /**
   * The WebSocket class, such as that of `ws`.
   *
   * @defaultValue the runtime's, or undici's on a Node that has none
   */
  readonly WebSocket?: WebSocketConstructor | undefined;
}

/** Options of `close`. */
export interface CloseOptions {
  /**
   * Longest time to wait for the handler that runs and for answers to replies, in milliseconds.
   *
   * @defaultValue `5_000`
   */
  readonly waitMs?: number | undefined;
}

/** The options that are text. */
const FORMS: Readonly<Record<string, RegExp>> = {
  url: /^https?:\/\/[^\s@?#]+$/i,
  project: /./,
  key: /./,
  name: /^[\w.-]{1,100}$/,
  from: /./,
};

const CURE =
  'give url (https://…), project, key, name (A-Z a-z 0-9 . _ -), from (with a name), WebSocket (a class)';

function works(name: string, value: unknown): boolean {
  if (name === 'WebSocket') return typeof value === 'function';
  return (
    typeof value === 'string' && FORMS[name]?.test(value) === true && (name !== 'url' || URL.canParse(value))
  );
}

/** The error for options that cannot work, by their names: no value is quoted, since one of them is the key. */
const refused = (names: readonly string[], cure: string): OptionError =>
  new OptionError('invalid_option', `${names.join(', ')}: unknown or no use; ${cure}`);

/** The URL to connect to, and what to say first. */
export interface Settings {
  /** Such as `wss://hooks.example.com/projects/0192…/stream`. */
  readonly address: string;
  readonly hello: Hello;
  readonly WebSocket: WebSocketConstructor | undefined;
}

/** @throws {@link OptionError} `invalid_option`, naming every option that is unknown or cannot work. */
export function readOptions(options: ClientOptions): Settings {
  const { url, project, key, name: client, from, WebSocket } = options;
  const given = Object.entries({ ...options, url, project, key }).filter(
    ([name, value]) => value !== undefined || name in { url, project, key },
  );
  const wrong = given.filter(([name, value]) => !works(name, value)).map(([name]) => name);
  if (from !== undefined && client === undefined) wrong.push('from');
  if (wrong.length > 0) throw refused(wrong, CURE);
  return {
    address: `${url.replace(/^http/i, 'ws').replace(/\/+$/, '')}/projects/${encodeURIComponent(project)}/stream`,
    hello: { key, client, from },
    WebSocket,
  };
}

/** @throws {@link OptionError} `invalid_option` */
export function readWaitMs({ waitMs = 5_000, ...others }: CloseOptions): number {
  const wrong = Object.keys(others);
  if (typeof waitMs !== 'number' || !(waitMs >= 0)) wrong.push('waitMs');
  if (wrong.length > 0) throw refused(wrong, 'give waitMs (milliseconds)');
  return waitMs;
}
