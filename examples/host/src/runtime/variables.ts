/** The environment variables of the service: one table that reads, checks and documents them. */
import { isIP } from 'node:net';
import { DEFAULT_MEMORY } from '../limits/memory.js';
import { parseSealingKeys, type SealingKey } from '../secrets/sealing.js';

/** How one variable is read. */
export interface Variable<Value> {
  /** Its purpose, in a line. */
  readonly about: string;
  /** How the default reads in the documents. */
  readonly unset: string;
  /** The value without the variable. */
  readonly fallback: Value;
  /**
   * Reads the text, which is not empty.
   *
   * @throws Error with what to give instead. It never quotes a secret.
   */
  readonly parse: (text: string) => Value;
}

const variable = <Value>(of: Variable<Value>): Variable<Value> => of;

const integer =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new Error(`give a whole number from ${least} to ${most}`);
  };

const oneOf =
  <const Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw new Error(`give one of ${words.join(', ')}`);
  };

function publicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') {
    return url.origin;
  }
  throw new Error('give the address without a path, such as https://hooks.example.com');
}

function databaseUrl(text: string): string {
  if (/^postgres(?:ql)?:\/\/\S+$/.test(text)) return text;
  throw new Error('give a connection string that begins with postgres://, or leave it out for SQLite');
}

/** @throws Error for a key that could be guessed. */
export function parseAdminKey(text: string): string {
  if (/^[\x21-\x7e]{32,200}$/.test(text)) return text;
  throw new Error('give 32 to 200 printable characters, such as the output of: openssl rand -hex 32');
}

function brand(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9-]{0,30}$/.test(text)) return text;
  throw new Error('give up to 31 letters, digits and hyphens, beginning with a letter');
}

function isRange(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || more.length > 0) return false;
  return !text.includes('/') || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
}

function ranges(text: string): readonly string[] {
  const all = text.split(',').map((one) => one.trim());
  const wrong = all.findIndex((one) => !isRange(one));
  if (wrong < 0) return all;
  throw new Error(`entry ${wrong + 1} is not an address: give addresses or CIDR blocks, separated by commas`);
}

/** It goes into a header, where a semicolon or a blank would begin something else. */
const ORIGIN = /^https?:\/\/(?:[a-z\d.-]+|\[[\da-f:.]+\])(?::\d+)?$/;

function origins(text: string): readonly string[] {
  const all = text.split(',').map((one) => one.trim());
  const wrong = all.findIndex(
    (one) => !ORIGIN.test(one) || !URL.canParse(one) || new URL(one).origin !== one,
  );
  if (wrong < 0) return all;
  throw new Error(
    `entry ${wrong + 1} is not an origin: give origins such as https://app.example.com, separated by commas`,
  );
}

function listenAddress(text: string): string {
  if (isIP(text) > 0 || /^[A-Za-z\d](?:[A-Za-z\d.-]{0,251}[A-Za-z\d])?$/.test(text)) return text;
  throw new Error('give an IP address or a host name, such as 0.0.0.0');
}

function folder(text: string): string {
  if (!/\p{Cc}/u.test(text)) return text;
  throw new Error('give the path of a folder, without control characters');
}

function schema(text: string): string {
  if (/^[a-z_][a-z0-9_]{0,50}$/.test(text)) return text;
  throw new Error('give up to 51 small letters, digits and _');
}

/** All variables, in the order of the documents. */
export const VARIABLES = {
  PORT: variable({
    about: 'Port of the service',
    unset: '8080',
    fallback: 8080,
    parse: integer(0, 65_535),
  }),
  HOST: variable({
    about: 'Address to listen on; `0.0.0.0` takes calls from other machines',
    unset: '127.0.0.1',
    fallback: '127.0.0.1',
    parse: listenAddress,
  }),
  PUBLIC_URL: variable<string | null>({
    about:
      'Where callers reach the service, if it is behind a proxy: shown in addresses, and the origin of its pages',
    unset: 'the address it listens on',
    fallback: null,
    parse: publicUrl,
  }),
  DATABASE_URL: variable<string | null>({
    about: 'Connection string of Postgres; any number of processes may share it',
    unset: 'SQLite in `HEADGATE_DATA`',
    fallback: null,
    parse: databaseUrl,
  }),
  HEADGATE_SCHEMA: variable({
    about: 'Schema of the tables in Postgres',
    unset: 'headgate_host',
    fallback: 'headgate_host',
    parse: schema,
  }),
  HEADGATE_CONNECTIONS: variable({
    about: 'Maximum number of connections to Postgres from one process',
    unset: '16',
    fallback: 16,
    parse: integer(4, 500),
  }),
  HEADGATE_DATA: variable({
    about: 'Folder of the SQLite file, and of the keys that a first start makes',
    unset: './headgate-data',
    fallback: './headgate-data',
    parse: folder,
  }),
  HEADGATE_SEALING_KEYS: variable<readonly SealingKey[] | null>({
    about:
      'Keys that encrypt secrets in the database: `<id>:<base64 of 32 bytes>`, newest first, separated by commas. Required with Postgres',
    unset: 'made at the first start and kept in `HEADGATE_DATA/sealing-keys`, mode 0600',
    fallback: null,
    parse: parseSealingKeys,
  }),
  HEADGATE_ADMIN_KEY: variable<string | null>({
    about: "The operator's key: it creates projects, sets their plans, and reads `/metrics`",
    unset: 'no key, so the API cannot create projects; `npx headgate-host` makes a key',
    fallback: null,
    parse: parseAdminKey,
  }),
  HEADGATE_BRAND: variable({
    about: 'Prefix of the headers of deliveries: `Svc` gives `Svc-Signature` and `svc-dispatcher/1`',
    unset: 'Svc',
    fallback: 'Svc',
    parse: brand,
  }),
  HEADGATE_MAX_BODY_BYTES: variable({
    about: 'Largest body that is accepted, in bytes',
    unset: '1048576 (1 MiB)',
    fallback: 1_048_576,
    parse: integer(1_024, 26_214_400),
  }),
  HEADGATE_PROJECT_BYTES_PER_SECOND: variable({
    about:
      'Bytes of bodies per second that one project may send to one process in the long run; twice as many in a burst. Each name, value and bracket of JSON counts as at least 8. Anything beyond is answered with 429',
    unset: '8388608 (8 MiB)',
    fallback: 8_388_608,
    parse: integer(1_024, 1_073_741_824),
  }),
  HEADGATE_BUFFER_BYTES: variable({
    about:
      'Maximum bytes of requests, frames and answers that one process holds at a time; one project may have half. Anything beyond is answered with 503',
    unset: '134217728 (128 MiB)',
    fallback: DEFAULT_MEMORY,
    parse: integer(33_554_432, 68_719_476_736),
  }),
  HEADGATE_SOCKETS: variable({
    about:
      'Maximum number of connections to one process, including idle ones and those of SDK clients; further ones are closed at once',
    unset: '10000',
    fallback: 10_000,
    parse: integer(100, 1_000_000),
  }),
  HEADGATE_ALLOW: variable<readonly string[]>({
    about:
      'Private addresses that deliveries may go to, despite the address guard: CIDR blocks, separated by commas',
    unset: 'none',
    fallback: [],
    parse: ranges,
  }),
  HEADGATE_FRAME_ANCESTORS: variable<readonly string[]>({
    about:
      'Origins whose pages may show [the portal](portal.md) in a frame, such as `https://app.example.com`, separated by commas',
    unset: 'none',
    fallback: [],
    parse: origins,
  }),
  HEADGATE_CONCURRENCY: variable({
    about: 'Maximum number of attempts in flight in one process',
    unset: '256',
    fallback: 256,
    parse: integer(1, 10_000),
  }),
  HEADGATE_CONCURRENCY_PER_ENDPOINT: variable({
    about: 'Maximum number of attempts in flight to one endpoint in one process',
    unset: '32',
    fallback: 32,
    parse: integer(1, 1_000),
  }),
  HEADGATE_REPLAY_RATE: variable({
    about:
      'Maximum deliveries per second that replays of many events make in one process, so that they do not delay fresh events',
    unset: '50',
    fallback: 50,
    parse: integer(1, 10_000),
  }),
  HEADGATE_THREADS: variable({
    about: 'Threads that decide events by the rules; one of them is kept for projects whose rules are slow',
    unset: '2',
    fallback: 2,
    parse: integer(2, 64),
  }),
  LOG_LEVEL: variable({
    about: 'Lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error` or `silent`',
    unset: 'info',
    fallback: 'info' as const,
    parse: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
  }),
} as const;

type Table = typeof VARIABLES;

/** The value of each variable. */
export type Settings = {
  readonly [Name in keyof Table]: Table[Name]['fallback'] extends infer Value ? Value : never;
};
