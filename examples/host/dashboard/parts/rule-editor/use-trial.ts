/** Asks the service while somebody types: once they pause, the last question alone, and the last answer stays meanwhile. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasCode, sentenceOf } from '../../data/index.js';
import { retrying } from './retrying.js';

/** The last answer, and why there is none to the last question. */
export interface Trial<Value> {
  readonly value: Value | null;
  readonly error: string | null;
  readonly isBusy: boolean;
}

const PAUSE_MS = 250;
const NOTHING = { value: null, error: null, isBusy: false } as const;

/**
 * @param key - Names the question; null asks nothing.
 * @param ask - Of the last render.
 */
export function useTrial<Value>(
  key: string | null,
  ask: (signal: AbortSignal) => Promise<Value>,
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
    const timer = setTimeout(() => {
      setTrial((before) => ({ ...before, isBusy: true }));
      retrying(abort.signal, latest.current).then(
        (value) => !abort.signal.aborted && setTrial({ value, error: null, isBusy: false }),
        (error: unknown) => !abort.signal.aborted && setTrial((before) => failed(before, error)),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return trial;
}

/** A rule that is not valid is told at its fields. */
function failed<Value>(before: Trial<Value>, error: unknown): Trial<Value> {
  if (hasCode(error, 'invalid_rule')) return { ...before, isBusy: false };
  return { ...before, isBusy: false, error: sentenceOf(error) };
}
