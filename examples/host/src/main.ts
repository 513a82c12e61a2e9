/** The service as a process: `npm run host`. Reads the environment, starts, stops on SIGTERM and SIGINT. */
import { ConfigError, readConfig } from './operating/config.js';
import { serve } from './serve.js';

/** All that a stop may take. */
const STOP_MS = 15_000;

try {
  const running = await serve(readConfig(process.env));
  let isStopping = false;
  const stop = (signal: string): void => {
    // A second signal does not wait.
    if (isStopping) process.exit(1);
    isStopping = true;
    const deadline = setTimeout(() => process.exit(1), STOP_MS);
    deadline.unref();
    running.stop(signal).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  // Whoever started the process as a child learns where it listens.
  process.send?.({ listening: running.url, signIn: running.signIn, first: running.first });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`headgate host: ${message}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
