/**
 * The service as a process: reads the command line and the environment, starts, stops on SIGTERM and SIGINT. With the
 * command `sign-in` it prints a link instead.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, readCommand, UsageError, usageOf } from './runtime/command-line.js';
import { ConfigError, readConfig } from './runtime/config.js';
import { adminKeyPath, takeAdminKey } from './runtime/data-folder.js';
import { createLog, type Logger } from './runtime/log.js';
import { readTelemetry } from './runtime/telemetry.js';
import type { Settings } from './runtime/variables.js';
import { type Running, serve } from './serve.js';
import { createSignInLink } from './sign-in.js';

/** One of the programs that are the service. */
export interface Program {
  /** How it is started, as messages show it: `npx headgate-host`. */
  readonly name: string;
  /**
   * True for people who try the service: the operator's key is made and kept beside the data, and a terminal shows only
   * warnings of the log. Both can be set in the environment.
   */
  readonly isForPeople: boolean;
}

/** All that a stop may take. */
const STOP_MS = 15_000;
/** A signal comes twice when Ctrl-C reaches this process both from the terminal and from npm. */
const ONE_SIGNAL_MS = 1_000;
/** How often a service that npx has started checks whether npx still runs. */
const PARENT_MS = 250;

/** Runs the program. It ends the process by its exit code: 2 for a command line or an environment that is not valid. */
export async function runProgram(program: Program): Promise<void> {
  try {
    const command = readCommand(process.argv.slice(2), process.env);
    if (command.name === 'help') process.stdout.write(usageOf(program.name));
    else if (command.name === 'version') process.stdout.write(`${version()}\n`);
    else if (command.name === 'sign-in') await signIn(command);
    else await start(program, command);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const usage = error instanceof UsageError ? `\n${usageOf(program.name)}` : '';
    process.stderr.write(`headgate host: ${message}\n${usage}`);
    process.exitCode = error instanceof ConfigError || error instanceof UsageError ? 2 : 1;
  }
}

/** The version of the package, whose package.json is above this file both in the sources and when it is built. */
function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

async function start(
  program: Program,
  { settings: options }: Command & { readonly name: 'serve' },
): Promise<void> {
  const environment = { ...process.env, ...options };
  const isQuiet = program.isForPeople && process.stdout.isTTY;
  const settings = readConfig({ ...(isQuiet && { LOG_LEVEL: 'warn' }), ...environment });
  const telemetry = await readTelemetry(environment);
  const log = createLog(settings.LOG_LEVEL);
  const starting = serve(program.isForPeople ? withAdminKey(settings, log) : settings, log, telemetry);
  // Before it has started, too: the log may already say that it runs.
  stopOnSignals(starting);
  const running = await starting;
  // The log goes to stdout and is kept elsewhere; a link that signs in does not belong in it.
  process.stderr.write(greeting(program, running, settings, options));
  // A parent process is told the address, and how to sign in.
  process.send?.({ listening: running.url, signIn: running.signIn, first: running.first });
}

/** With the operator's key that the data folder keeps, unless the environment has one or the data is in Postgres. */
function withAdminKey(settings: Settings, log: Logger): Settings {
  const { DATABASE_URL: postgres, HEADGATE_ADMIN_KEY: given, HEADGATE_DATA: folder } = settings;
  if (postgres !== null || given !== null) return settings;
  const { key, isNew } = takeAdminKey(folder);
  if (isNew) log.info({ path: adminKeyPath(folder) }, "made the operator's key");
  return { ...settings, HEADGATE_ADMIN_KEY: key };
}

/** A host that is still starting is stopped as soon as it has, or is ended after {@link STOP_MS}. */
function stopOnSignals(starting: Promise<Running>): void {
  let stoppingSince: number | null = null;
  const stop = (signal: string): void => {
    if (stoppingSince !== null) {
      // A second signal does not wait.
      if (performance.now() - stoppingSince > ONE_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    const deadline = setTimeout(() => process.exit(1), STOP_MS);
    deadline.unref();
    starting.then(
      (running) =>
        running.stop(signal).then(
          () => process.exit(0),
          () => process.exit(1),
        ),
      () => {
        // start() says why.
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  // A host that was started as a child does not outlive its parent.
  process.on('disconnect', () => stop('disconnect'));
  if (process.env.npm_command === 'exec') watchParent(() => stop('the end of npx'));
}

/** npx starts a shell that passes no signal on: a SIGTERM ends both, and this process gets another parent. */
function watchParent(ended: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ended();
  }, PARENT_MS);
  timer.unref();
}

/** On a first start, the link into its project; later, how to get another, if a person reads along. */
function greeting(
  { name, isForPeople }: Program,
  { url, signIn }: Running,
  { HEADGATE_DATA: folder }: Settings,
  options: object,
): string {
  const another = `${name} sign-in${Object.keys(options).length > 0 ? ', with the same options' : ''}`;
  if (signIn !== null) {
    const more = isForPeople ? `The data is in ${resolve(folder)}\nFor another link: ${another}\n\n` : '';
    return `\nHeadgate is running at ${url}\nSign in, once and within an hour:\n\n  ${signIn}\n\n${more}`;
  }
  return process.stderr.isTTY
    ? `\nHeadgate is running at ${url}\nFor a link that signs in: ${another}\n\n`
    : '';
}

/** The link alone goes to stdout, so that another program can open it. */
async function signIn({ settings, project }: Command & { readonly name: 'sign-in' }): Promise<void> {
  const link = await createSignInLink(readConfig({ ...process.env, ...settings }), project);
  process.stderr.write(`Signs in to ${link.project}, once and within an hour:\n`);
  process.stdout.write(`${link.url}\n`);
}
