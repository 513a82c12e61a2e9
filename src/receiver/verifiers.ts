/** Verifiers by their secrets. */
import type { VerifierOptions } from '../signing/options.js';
import { createVerifier } from '../signing/web.js';
import type { ReceiverOptions, RequestInfo } from './options.js';
import { ReceiverError } from './receiver-error.js';

type Verifier = ReturnType<typeof createVerifier>;

/** Verifiers that are kept, where a function gives the secrets. Each holds imported keys. */
const MAX_KEPT = 1_000;

/**
 * The verifier of each request. Secrets are checked at once, unless they are a function.
 *
 * @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option`
 */
export function createVerifiers<E>(
  options: ReceiverOptions<E>,
): (request: RequestInfo) => Verifier | Promise<Verifier> {
  const { secrets } = options;
  const shared = verifierOptions(options);
  if (typeof secrets !== 'function') {
    const verifier = createVerifier({ ...shared, secrets });
    return () => verifier;
  }
  // Checks the other options immediately when the secret is invalid.
  createVerifier({ ...shared, secrets: 'x' });
  const kept = new Map<string, Verifier>();
  return async (request) => {
    try {
      const given = await secrets(request);
      const key = JSON.stringify(given);
      const verifier = kept.get(key) ?? createVerifier({ ...shared, secrets: given });
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, verifier);
      return verifier;
    } catch (cause) {
      throw new ReceiverError('secrets_failed', 'secrets: the function failed, or gave none', { cause });
    }
  };
}

function verifierOptions<E>(options: ReceiverOptions<E>): Omit<VerifierOptions, 'secrets'> {
  const { brand, toleranceSeconds, futureToleranceSeconds, now } = options;
  return {
    ...(brand !== undefined && { brand }),
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    ...(futureToleranceSeconds !== undefined && { futureToleranceSeconds }),
    ...(now !== undefined && { now }),
  };
}
