/** The command line of `npm start`. */
import { parseArgs } from 'node:util';

/** The options of the command line. */
export interface StartOptions {
  /** Connection string; null for SQLite. */
  readonly postgres: string | null;
  /** Folder to keep the run in; null for a temporary one. */
  readonly folder: string | null;
  readonly port: number;
  /** Ends once everything is counted. */
  readonly isOnce: boolean;
}

const USAGE = `usage: npm start -- [--once] [--postgres [URL]] [--data FOLDER] [--port PORT]

  --once         exit once everything is counted, as it does if its output is not a terminal
  --postgres     keep everything in a schema of its own on this server, which is dropped at the end;
                 without a URL the one of DATABASE_URL, which is also taken without --postgres
  --data FOLDER  keep everything in this new folder, to go on with: HEADGATE_DATA=FOLDER npm run host;
                 without it, the run has a temporary folder and a second run knows nothing of the first
  --port PORT    port of the host; any free one without it

Exits with 0 only if every count is what the rules imply, with 1 if one is not, with 2 for a wrong command line.`;

const OPTIONS = {
  once: { type: 'boolean' },
  postgres: { type: 'boolean' },
  data: { type: 'string' },
  port: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the command line. Exits after --help and after what it does not know. */
export function readOptions(
  argv: readonly string[],
  { DATABASE_URL: url = '' }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): StartOptions {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
    if (values.help === true) return exit(0, USAGE);
    return {
      postgres: postgresOf(values.postgres === true, positionals, url),
      folder: values.data ?? null,
      port: portOf(values.port ?? '0'),
      isOnce: values.once === true || !isTerminal,
    };
  } catch (error) {
    return exit(2, `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function postgresOf(
  isAsked: boolean,
  [url, ...more]: readonly string[],
  fromEnvironment: string,
): string | null {
  if (more.length > 0 || (url !== undefined && !isAsked)) {
    throw new Error(`there is no use for '${more[0] ?? url ?? ''}' here`);
  }
  const chosen = url ?? fromEnvironment;
  if (isAsked && chosen === '') throw new Error('--postgres: give a URL, or set DATABASE_URL');
  return chosen === '' ? null : chosen;
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port;
  throw new Error('--port: give a whole number from 0 to 65535');
}

function exit(code: number, text: string): never {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exit(code);
}
