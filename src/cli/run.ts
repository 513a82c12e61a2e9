/** Runs a command line, from its words to its exit code. */
import { type Context, Failure, type Host, UsageError } from './context.js';
import { commandHelp, groupHelp, overview } from './help.js';
import { nearest } from './line/nearest.js';
import { readLine } from './line/read.js';
import { type Part, Printer, styled } from './output/printer.js';
import { OutputClosed, OutputFailed } from './streams.js';
import type { Command, Exit } from './table/command.js';
import { commands } from './table/index.js';

/**
 * Runs a command. It never rejects.
 *
 * @param args - The words after `headgate`.
 */
export async function runCommandLine(args: readonly string[], host: Host): Promise<Exit> {
  const context: Context = {
    ...host,
    out: new Printer(host.stdout, host.env),
    say: new Printer(host.stderr, host.env),
    specs: commands.map(({ spec }) => spec),
  };
  try {
    return await dispatch(args, context);
  } catch (error) {
    return await explainFailure(error, context).catch(exitWithoutWords);
  }
}

const HELP = ['--help', '-h', 'help'];

async function dispatch(args: readonly string[], context: Context): Promise<Exit> {
  const [first = ''] = args;
  if (['--version', '-V', '-v'].includes(first)) {
    await context.out.line(context.version);
    return 0;
  }
  // `headgate help rules check` is `headgate rules check --help`.
  if (first === 'help' && args.length > 1) return dispatch([...args.slice(1), '--help'], context);
  if (HELP.includes(first)) return print(context, overview(context.specs));
  const command = commandOf(args);
  if (command === undefined) return withoutCommand(args, context);
  const asked = readLine(command.spec, args.slice(command.spec.name.split(' ').length));
  if (asked.help) return print(context, commandHelp(command.spec));
  return command.run(asked.values, context);
}

/** The command with the most words that the line begins with. */
const commandOf = (args: readonly string[]): Command | undefined =>
  commands.find(({ spec }) => spec.name.split(' ').every((word, index) => args[index] === word));

async function withoutCommand(args: readonly string[], context: Context): Promise<Exit> {
  const { specs } = context;
  const [first = '', second = ''] = args;
  if (first === '') {
    for (const line of overview(specs)) await context.say.line(...line);
    return 2;
  }
  const group = specs.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) {
    const known = [...new Set(specs.flatMap(({ name }) => [name, name.split(' ')[0] ?? '']))];
    throw new UsageError(
      `unknown ${kindOf(first)}.${nearest(first, known)} headgate --help lists all commands`,
    );
  }
  if (HELP.includes(second)) return print(context, groupHelp(first, group));
  const words = group.map(({ name }) => name.slice(first.length + 1));
  const wrong =
    second === '' ? 'give a command' : `unknown ${kindOf(second)}.${nearest(second, words)} Give one`;
  throw new UsageError(`${first}: ${wrong} of ${words.join(', ')}`);
}

const kindOf = (word: string): string =>
  word.startsWith('-') ? `option ${word.split('=')[0] ?? ''}` : `command ${JSON.stringify(word)}`;

async function print({ out }: Context, lines: readonly (readonly Part[])[]): Promise<Exit> {
  for (const line of lines) await out.line(...line);
  return 0;
}

async function explainFailure(error: unknown, { say, env }: Context): Promise<Exit> {
  if (error instanceof OutputClosed) return 0;
  if (error instanceof OutputFailed) {
    await say.line(styled('red', 'headgate: '), `cannot write the output: ${error.message}`);
    return 1;
  }
  const isOurs = error instanceof UsageError || error instanceof Failure || hasCode(error);
  const message = messageOf(error);
  await say.line(styled('red', 'headgate: '), isOurs ? message : `this should not have happened: ${message}`);
  if (env.HEADGATE_DEBUG && error instanceof Error) {
    for (const line of (error.stack ?? '').split('\n')) await say.line(line);
  }
  return 2;
}

/** The message of an error. Of an error of a store, the words of the database too, which its own message leaves out. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, cause } = error;
  if (name !== 'StoreError') return message;
  const told = message.replace('call migrate()', 'run headgate migrate with the same STORE and --schema');
  return cause instanceof Error && cause.message !== '' ? `${told}: ${cause.message}` : told;
}

/** The exit code if not even standard error can be written. */
function exitWithoutWords(error: unknown): Exit {
  if (error instanceof OutputClosed) return 2;
  if (error instanceof OutputFailed) return 1;
  throw error;
}

/** Errors of the package, of the file system and of sockets say all in their messages. */
const hasCode = (error: unknown): boolean => error instanceof Error && 'code' in error;
