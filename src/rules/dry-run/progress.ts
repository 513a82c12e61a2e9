/** Tells the host how far a dry-run has come. */
import { Period } from '../../event-loop.js';
import { show } from '../issues/index.js';
import { invalidOption } from '../validate/index.js';

/** The counts of a dry-run that is under way, or that has ended. */
export interface DryRunProgress {
  /** Events in the window that matched. */
  readonly matched: number;
  /** Events in the window. */
  readonly scanned: number;
  /** Events without a readable `received_at`, which are in no window. */
  readonly undated: number;
  /** Events in the window on which a leaf stayed undecided, since its pattern met the work budget. */
  readonly limits: number;
  /** Matches by type of action; no key where there was none. */
  readonly byAction: { readonly [type: string]: number };
}

type ProgressListener = (soFar: DryRunProgress) => void;

/** Shortest time between two calls of a listener, except for the last. */
const PERIOD_MS = 100;

/** The calls of one listener. Made when the dry-run begins, and thrown away when it ends. */
export class ProgressCalls {
  readonly #listener: ProgressListener;
  readonly #period = new Period(PERIOD_MS);

  constructor(listener: ProgressListener = () => undefined) {
    this.#listener = listener;
  }

  /** Calls it, unless the last call was a moment ago. */
  tell(soFar: () => DryRunProgress): void {
    if (this.#period.isOver()) this.#listener(soFar());
  }

  /** Calls it for the last time. */
  end(last: DryRunProgress): void {
    this.#listener(last);
  }
}

/** @throws {@link OptionError} `invalid_option` */
export function assertListener(onProgress: unknown): void {
  if (onProgress === undefined || typeof onProgress === 'function') return;
  throw invalidOption(
    `onProgress must be a function; it is ${show(onProgress)}: give one that takes the counts so far`,
  );
}
