/** The service as a process: `npm run host`. Reads the environment, starts, stops on SIGTERM and SIGINT. */
import { ConfigError, readConfig } from './operating/config.js';
import { createLog } from './operating/log.js';
import { telemetryCallbacks } from './operating/telemetry.js';
import { serve } from './serve.js';

/** All that a stop may take. */
const STOP_MS = 15_000;

try {
  const settings = readConfig(process.env);
  const callbacks = await telemetryCallbacks(process.env);
  const running = await serve(settings, createLog(settings.LOG_LEVEL), callbacks);
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
  // A host that was started as a child does not outlive its parent.
  process.on('disconnect', () => stop('disconnect'));
  // A parent process is told the address, and how to sign in.
  process.send?.({ listening: running.url, signIn: running.signIn, first: running.first });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`headgate host: ${message}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
