/** Reads the command line of the service. */
import { parseArgs } from 'node:util';
import { VARIABLES } from './variables.js';

/** The task of the process. */
export type Command =
  | { readonly name: 'serve'; readonly settings: Given }
  /** `project` is null if the command line names none. */
  | { readonly name: 'sign-in'; readonly settings: Given; readonly project: string | null }
  | { readonly name: 'help' }
  | { readonly name: 'version' };

/** Variables of the environment that options name; options win. */
type Given = Readonly<Record<string, string>>;

/** A command line that cannot be understood. Thrown by {@link readCommand}. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @param program - How it is started, such as `npx headgate-host`. */
export const usageOf = (
  program: string,
): string => `usage: ${program} [options]                           starts the service
       ${program} sign-in [--project <id>] [options]   prints a link that signs in once, within an hour

  --port <port>     port to listen on, 0 for any free one (default: 8080)
  --host <address>  address to listen on (default: 127.0.0.1)
  --data <folder>   folder of the SQLite database and its keys (default: ./headgate-data)
  --version         print the version
  --help            print this text

Options win over the environment variables PORT, HOST and HEADGATE_DATA. All variables are described in
https://github.com/headgate/headgate/blob/main/docs/host.md#configure
`;

/** The option that stands for a variable. */
const OPTIONS = { port: 'PORT', host: 'HOST', data: 'HEADGATE_DATA' } as const;

/**
 * @param environment - Read to refuse an option that it contradicts.
 * @throws UsageError
 */
export function readCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): Command {
  const { values, positionals } = parsed(words);
  const [name = 'serve', ...more] = positionals;
  if (values.help === true) return { name: 'help' };
  if (values.version === true) return { name: 'version' };
  if (more.length > 0 || (name !== 'serve' && name !== 'sign-in')) {
    throw new UsageError(`there is no command ${JSON.stringify(positionals.join(' '))}`);
  }
  if (values.data !== undefined && (environment.DATABASE_URL ?? '') !== '') {
    throw new UsageError('--data is for SQLite, and DATABASE_URL names a Postgres: leave one of them out');
  }
  const settings = settingsOf(values);
  if (name === 'sign-in') return { name, settings, project: values.project ?? null };
  if (values.project !== undefined) throw new UsageError('--project belongs to the command sign-in');
  return { name, settings };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        ...{ port: { type: 'string' }, host: { type: 'string' }, data: { type: 'string' } },
        ...{ project: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node adds advice about positional arguments, which does not apply here.
    throw new UsageError(message.replace(/\. To specify a positional argument .*$/s, ''));
  }
}

/** @throws UsageError for a value that the variable would not take. */
function settingsOf(values: Readonly<Partial<Record<keyof typeof OPTIONS, string>>>): Given {
  const given: Record<string, string> = {};
  for (const [option, variable] of Object.entries(OPTIONS)) {
    const text = values[option as keyof typeof OPTIONS];
    if (text === undefined) continue;
    try {
      if (text === '') throw new Error('give a value');
      VARIABLES[variable].parse(text);
    } catch (error) {
      throw new UsageError(`--${option}: ${error instanceof Error ? error.message : String(error)}`);
    }
    given[variable] = text;
  }
  return given;
}
