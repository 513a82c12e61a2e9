/** Secrets: of the command line, of files, or of the environment. No message has one in it. */
import { type Context, UsageError } from '../context.js';
import { bytesOf, nameOf } from './read.js';

/** The options of commands that need secrets. */
interface SecretOptions {
  readonly secret: readonly string[];
  readonly 'secret-file': readonly string[];
}

const MAX_SECRET_BYTES = 65_536;

/** The secrets that were given; those of the command line and of files come before the environment. May be none. */
export async function secretsOf(options: SecretOptions, context: Context): Promise<readonly string[]> {
  const files = await Promise.all(options['secret-file'].map((path) => readSecret(path, context)));
  const given = [...options.secret, ...files];
  const { HEADGATE_SECRET: own = '' } = context.env;
  if (given.length > 0) return given;
  return own === '' ? [] : [own];
}

/** @throws {@link UsageError} if none is given. */
export async function requireSecrets(options: SecretOptions, context: Context): Promise<readonly string[]> {
  const secrets = await secretsOf(options, context);
  if (secrets.length > 0) return secrets;
  throw new UsageError(
    'there is no secret: set HEADGATE_SECRET, or give --secret-file FILE or --secret TEXT',
  );
}

async function readSecret(path: string, context: Context): Promise<string> {
  const bytes = await bytesOf(path, context, MAX_SECRET_BYTES);
  const secret = new TextDecoder().decode(bytes).replace(/\r?\n$/, '');
  if (secret !== '' && bytes.length <= MAX_SECRET_BYTES) return secret;
  throw new UsageError(
    `${nameOf(path)} is ${secret === '' ? 'empty' : 'too long'}: give a file with one secret`,
  );
}
