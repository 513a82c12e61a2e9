/** Asks again where the service has no place for a request just now. */
import { hasCode } from '../../data/index.js';

const MOST_TRIES = 6;
const WAIT_MS = 700;

/** What a request answers; one that is refused for want of a place is tried again, until its caller goes away. */
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
