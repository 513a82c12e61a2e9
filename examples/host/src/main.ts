/**
 * The service as a process: `npm run host`. Reads the environment, starts, stops on SIGTERM and SIGINT. With the
 * command `sign-in` it prints a link instead.
 */
import { readCommand, USAGE, UsageError } from './runtime/command-line.js';
import { ConfigError, readConfig } from './runtime/config.js';
import { createLog } from './runtime/log.js';
import { readTelemetry } from './runtime/telemetry.js';
import { type Running, serve } from './serve.js';
import { createSignInLink } from './sign-in.js';

/** All that a stop may take. */
const STOP_MS = 15_000;
/** A signal comes twice when Ctrl-C reaches this process both from the terminal and from npm. */
const ONE_SIGNAL_MS = 1_000;

try {
  const command = readCommand(process.argv.slice(2));
  if (command.name === 'help') process.stdout.write(USAGE);
  else if (command.name === 'sign-in') await signIn(command.project);
  else await start();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`headgate host: ${message}\n${error instanceof UsageError ? USAGE : ''}`);
  process.exitCode = error instanceof ConfigError || error instanceof UsageError ? 2 : 1;
}

async function start(): Promise<void> {
  const settings = readConfig(process.env);
  const telemetry = await readTelemetry(process.env);
  const starting = serve(settings, createLog(settings.LOG_LEVEL), telemetry);
  // Before it has started, too: the log may already say that it runs.
  stopOnSignals(starting);
  const running = await starting;
  // The log goes to stdout and is kept elsewhere; a link that signs in does not belong in it.
  process.stderr.write(greeting(running));
  // A parent process is told the address, and how to sign in.
  process.send?.({ listening: running.url, signIn: running.signIn, first: running.first });
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
}

/** On a first start, the link into its project; later, how to get another, if a person reads along. */
function greeting({ url, signIn }: Running): string {
  if (signIn !== null) {
    return `\nHeadgate is running at ${url}\nSign in, once and within an hour:\n\n  ${signIn}\n\n`;
  }
  return process.stderr.isTTY
    ? `\nHeadgate is running at ${url}\nFor a link that signs in: npm run host -- sign-in\n\n`
    : '';
}

/** The link alone goes to stdout, so that another program can open it. */
async function signIn(project: string | null): Promise<void> {
  const link = await createSignInLink(readConfig(process.env), project);
  process.stderr.write(`Signs in to ${link.project}, once and within an hour:\n`);
  process.stdout.write(`${link.url}\n`);
}
