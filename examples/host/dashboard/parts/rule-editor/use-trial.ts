/**
 * Asks the service while somebody types: once they pause, the last question alone. Its answer replaces the one before.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasCode, sentenceOf } from '../../data/index.js';
import { retrying } from '../retrying.js';

/** The answer to the last question that was answered. */
export interface Trial<Value> {
  /** Null before the first answer, and after an error: results never outlive the question that they answer. */
  readonly value: Value | null;
  /** A sentence; null if the service only says that the rule is not valid, which its fields show. */
  readonly error: string | null;
  /** The last question was answered with an error. */
  readonly isRefused: boolean;
  /** A newer question is waiting for its answer. */
  readonly isBusy: boolean;
}

const PAUSE_MS = 250;
const NOTHING = { value: null, error: null, isRefused: false, isBusy: false } as const;

/**
 * @param key - Names the question; null asks nothing.
 * @param ask - The function of the last render.
 * @param pauseMs - How long nothing must have changed before it is asked.
 */
export function useTrial<Value>(
  key: string | null,
  ask: (signal: AbortSignal) => Promise<Value>,
  pauseMs = PAUSE_MS,
): Trial<Value> {
  const [trial, setTrial] = useState<Trial<Value>>(NOTHING);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (key === null) {
      setTrial(NOTHING);
      return;
    }
    const abort = new AbortController();
    setTrial((before) => ({ ...before, error: null, isBusy: true }));
    const timer = setTimeout(() => {
      retrying(abort.signal, latest.current).then(
        (value) => !abort.signal.aborted && setTrial({ ...NOTHING, value }),
        (error: unknown) => !abort.signal.aborted && setTrial(refused(error)),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return trial;
}

const refused = (error: unknown) => ({
  ...NOTHING,
  isRefused: true,
  error: hasCode(error, 'invalid_rule') ? null : sentenceOf(error),
});
