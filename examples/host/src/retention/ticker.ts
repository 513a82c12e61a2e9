/** Runs work from time to time, once at a time, from `start` to `stop`. */
import type { Clock } from 'headgate/delivery';
import type { Batches } from './batches.js';

/** Dependencies of a ticker. */
export interface TickerParts {
  readonly clock: Clock;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
  /** The batches of the work: they end with the ticker. */
  readonly batches: Batches;
  readonly everyMs: number;
  /** Names the work in the log. */
  readonly about: string;
  readonly work: () => Promise<unknown>;
}

/** A schedule. */
export interface Ticker {
  start(): void;
  /** Runs the work now, unless it is running. */
  ask(): void;
  /** Ends after the transaction under way. */
  stop(): Promise<void>;
}

export function createTicker({ clock, report, batches, everyMs, about, work }: TickerParts): Ticker {
  let isRunning = false;
  let working: Promise<void> | null = null;
  let cancelTick = (): void => undefined;

  const ask = (): void => {
    if (!isRunning) return;
    working ??= work()
      .then(
        () => undefined,
        (error: unknown) => report(error, about),
      )
      .finally(() => (working = null));
  };
  const wait = (): void => {
    cancelTick = clock.at(clock.now() + everyMs, () => {
      wait();
      ask();
    });
  };
  return {
    start() {
      if (isRunning) return;
      isRunning = true;
      batches.start();
      wait();
    },
    ask,
    async stop() {
      isRunning = false;
      cancelTick();
      batches.stop();
      await working;
    },
  };
}
