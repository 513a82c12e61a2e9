/** Sources that are verified by `headgate/signing`: our own scheme, and Stripe's, which is the same. */
import { createVerifier, OptionError, SignatureError } from 'headgate/signing';
import { headerValues } from '../http/headers.js';
import { GENUINE, refused, signedSource, type Source, TOLERANCE_SECONDS, type Verdict } from './source.js';

interface TimedScheme extends Pick<Source, 'name' | 'deliveryId'> {
  /** First part of the header names. */
  readonly brand: string;
  /** The headers that are read, without their brand, in lower case. Each may be there once. */
  readonly headers: readonly string[];
}

/** Makes a source of a scheme with `t=<timestamp>,v1=<hex>`. */
export function timedSource({ brand, headers: parts, ...source }: TimedScheme): Source {
  const names = parts.map((part) => `${brand.toLowerCase()}-${part}`);
  return {
    ...signedSource,
    ...source,
    verify(request, { secrets }) {
      const found = names.flatMap((name) =>
        headerValues(request.headers, name).map((value) => [name, value]),
      );
      const headers = Object.fromEntries(found) as Record<string, string>;
      if (found.length > Object.keys(headers).length) return refused('repeated_header');
      return verdict(() => {
        const verify = createVerifier({
          brand,
          secrets,
          toleranceSeconds: TOLERANCE_SECONDS,
          futureToleranceSeconds: TOLERANCE_SECONDS,
          now: () => Math.floor(request.now / 1000),
        });
        verify(request.body, headers);
      });
    },
  };
}

/** The verdict of a check that throws. */
function verdict(check: () => void): Verdict {
  try {
    check();
    return GENUINE;
  } catch (error) {
    if (error instanceof SignatureError) return refused(error.code);
    if (error instanceof OptionError) return refused('unusable_settings');
    throw error;
  }
}
