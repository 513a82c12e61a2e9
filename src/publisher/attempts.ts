/** One request, tried until it is answered. */
import type { Settings } from './options.js';

/** The result of some attempts. */
export type Answered =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** No attempt succeeded. `status` is that of the last answer, and `waitMs` how long it asks to wait. */
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      readonly cause: unknown;
      readonly waitMs: number;
    }
  | { readonly kind: 'aborted'; readonly cause: unknown };

/** A request to the host. */
export interface Asked {
  /** After the address of the project's events. */
  readonly path: '' | '/batch';
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;

/** Whether an answer with this status may be another one later. */
export const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Tries a request as often as the settings say, and waits longer each time, or as long as the host asks. */
export async function attempts(settings: Settings, asked: Asked): Promise<Answered> {
  const { signal } = asked;
  for (let number = 1; ; number++) {
    const answered = await attempt(settings, asked);
    const isOver = answered.kind !== 'failed' || number >= settings.maxAttempts;
    if (isOver) return answered;
    await pauseBefore(number + 1, signal, answered.waitMs);
    if (signal?.aborted === true) return { kind: 'aborted', cause: signal.reason };
  }
}

async function attempt(settings: Settings, asked: Asked): Promise<Answered> {
  try {
    const response = await send(settings, asked);
    const body = await jsonOf(response);
    const { status, headers } = response;
    if (!isTemporary(status)) return { kind: 'answer', status, body };
    return { kind: 'failed', status, cause: undefined, waitMs: retryAfterMs(headers) };
  } catch (cause) {
    if (asked.signal?.aborted === true) return { kind: 'aborted', cause };
    return { kind: 'failed', status: null, cause, waitMs: 0 };
  }
}

function send(settings: Settings, { path, body, headers, signal }: Asked): Promise<Response> {
  const { address, key } = settings;
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  return settings.fetch(address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
    // A redirect would take the key somewhere else.
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
}

/** The JSON of an answer; null for any other text. A proxy may answer with a page. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** 0 without a Retry-After in seconds, which is what hosts send. A longer one is cut. */
const retryAfterMs = (headers: Headers): number => {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1_000, LONGEST_WAIT_MS) : 0;
};

/**
 * Waits before an attempt: half a second before the second one and twice as long before each further one, up to twenty
 * seconds; of which a random half is left out, so that many publishers do not come at once. Ends early when the signal
 * fires.
 *
 * @param leastMs - Waits at least this long.
 */
export const pauseBefore = (number: number, signal: AbortSignal | undefined, leastMs = 0): Promise<void> =>
  new Promise((resolve) => {
    const most = Math.min(FIRST_WAIT_MS * 2 ** (number - 2), LONGEST_WAIT_MS);
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(leastMs, most * (0.5 + randomFraction() / 2)));
    if (signal?.aborted === true) done();
    else signal?.addEventListener('abort', done);
  });

/** Draws from 0 up to 1. */
const randomFraction = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
