/** The event loop, for long work that must not hold it: the only code of the rules that reads a clock. */

/** How long work may go on before the loop runs: less than half of the 20 ms that docs/rules.md promises. */
const SLICE_MS = 8;

/**
 * The same in units of work, of which a millisecond holds about 100,000: some runtimes stop the clock while code runs.
 */
const SLICE_WORK = 800_000;

/** Work in slices. Made when the work begins; thrown away when it ends. */
export class Slices {
  #endsAt = performance.now() + SLICE_MS;
  #workLeft = SLICE_WORK;

  /**
   * Charges a piece of work that has been done.
   *
   * @param work - About 100,000 for a millisecond.
   * @returns Whether the slice is over, so that {@link rest} is due.
   */
  charge(work: number): boolean {
    this.#workLeft -= work;
    return this.#workLeft <= 0 || performance.now() >= this.#endsAt;
  }

  /** Lets the event loop run once; a new slice begins when it resolves. */
  async rest(): Promise<void> {
    await loopRan();
    this.#workLeft = SLICE_WORK;
    this.#endsAt = performance.now() + SLICE_MS;
  }
}

/** Signals, again and again, that a period has passed. Made when the work begins; thrown away when it ends. */
export class Period {
  readonly #ms: number;
  #endsAt: number;

  /** @param ms - Milliseconds. */
  constructor(ms: number) {
    this.#ms = ms;
    this.#endsAt = performance.now() + ms;
  }

  /** Whether it has passed; then it starts again. */
  isOver(): boolean {
    const now = performance.now();
    const isOver = now >= this.#endsAt;
    if (isOver) this.#endsAt = now + this.#ms;
    return isOver;
  }
}

/**
 * Resolves after the loop has run whatever is ready. A message to oneself does it in every runtime that has channels;
 * `setImmediate` is Node's alone, and browsers lengthen short timers to 4 ms.
 */
const loopRan = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof MessageChannel !== 'function') {
      setTimeout(resolve, 0);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close(); // an open port would keep the process alive
      resolve();
    };
    port2.postMessage(null);
  });
