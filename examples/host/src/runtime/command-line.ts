/** Reads the command line of the service. */
import { parseArgs } from 'node:util';

/** The task of the process. */
export type Command =
  | { readonly name: 'serve' }
  | { readonly name: 'help' }
  /** `project` is null if the command line names none. */
  | { readonly name: 'sign-in'; readonly project: string | null };

/** A command line that cannot be understood. Thrown by {@link readCommand}. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `usage: node dist/main.js                            starts the service
       node dist/main.js sign-in [--project <id>]   prints a link that signs in once, within an hour

Both read the same environment variables; docs/host.md describes them.
`;

/** @throws UsageError */
export function readCommand(words: readonly string[]): Command {
  const { values, positionals } = parsed(words);
  const [name = 'serve', ...more] = positionals;
  if (values.help === true) return { name: 'help' };
  if (more.length > 0 || (name !== 'serve' && name !== 'sign-in')) {
    throw new UsageError(`there is no command ${JSON.stringify(positionals.join(' '))}`);
  }
  if (name === 'sign-in') return { name, project: values.project ?? null };
  if (values.project !== undefined) throw new UsageError('--project belongs to the command sign-in');
  return { name };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { project: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
