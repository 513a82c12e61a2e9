/** Asks again if the service has no room for a request at the moment. */
import { hasCode } from '../data/index.js';

const MOST_TRIES = 6;
const WAIT_MS = 700;

/** Sends a request again, a few times, while it is answered `too_many_requests` or `overloaded` and is not aborted. */
export async function retrying<Value>(
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask(signal);
    } catch (error) {
      const isFull = hasCode(error, 'too_many_requests', 'overloaded');
      if (!isFull || tries === MOST_TRIES || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS * tries));
    }
  }
}
