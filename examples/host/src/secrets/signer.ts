/** Signers for the deliveries and tests of an endpoint. */
import { createSigner, type SchemeOption, type Signer } from 'headgate/signing';
import { isStandardSecret } from './signing-secret.js';

/** How an endpoint's deliveries are signed. */
export interface Signing {
  /** Oldest first. */
  readonly secrets: readonly string[];
  readonly signature: SchemeOption;
  /** First part of the names of headers; that of the library unless given. */
  readonly brand?: string | undefined;
}

/**
 * Makes a signer. A secret that Standard Webhooks cannot use signs in the other scheme alone, so `both` always sends at
 * least that signature.
 *
 * @throws OptionError `invalid_secret` if no secret can sign.
 */
export function createSignerFor({ secrets, signature, brand }: Signing): Pick<Signer, 'headers'> {
  const named = brand === undefined ? {} : { brand };
  const standard = signature === 'svc' ? [] : secrets.filter(isStandardSecret);
  if (signature === 'standard_webhooks' || standard.length === secrets.length) {
    return createSigner({ ...named, secrets: standard, scheme: signature });
  }
  const own = createSigner({ ...named, secrets });
  if (standard.length === 0) return own;
  const other = createSigner({ ...named, secrets: standard, scheme: 'standard_webhooks' });
  return { headers: (body, about) => ({ ...own.headers(body, about), ...other.headers(body, about) }) };
}

/** A key for {@link deliveryHeaderNames} alone, which signs nothing that is sent. */
const NO_KEY = `whsec_${Buffer.alloc(32).toString('base64')}`;

/** The names of all headers that signers set, in lower case. */
export function deliveryHeaderNames(brand?: string): ReadonlySet<string> {
  const signer = createSignerFor({ secrets: [NO_KEY], signature: 'both', brand });
  const about = { eventId: 'none', eventType: 'none', origin: 'live', timestamp: 0 } as const;
  return new Set(Object.keys(signer.headers('', about)).map((name) => name.toLowerCase()));
}

/** Headers of one connection, or that the transport sets by itself. */
export const OF_TRANSPORT =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|expect|host|content-.*)$/;
/** Headers of the trace that a delivery belongs to. */
export const OF_TRACE = /^(?:traceparent|tracestate)$/;

/**
 * Whether the service sets a header by itself, so that it is none of the endpoint's.
 *
 * @param brand - The brand of the headers of deliveries; that of the library unless given.
 */
export function ownHeaders(brand?: string): (name: string) => boolean {
  const own = deliveryHeaderNames(brand);
  return (name) => {
    const key = name.toLowerCase();
    return own.has(key) || OF_TRANSPORT.test(key) || OF_TRACE.test(key);
  };
}

/** Adds fixed headers to those of a signer. Of two with one name, the signer's is sent: the brand may have changed. */
export const withHeaders = (
  signer: Pick<Signer, 'headers'>,
  fixed: Readonly<Record<string, string>>,
): Pick<Signer, 'headers'> => ({
  headers(body, about) {
    const own = signer.headers(body, about);
    const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
    const others = Object.entries(fixed).filter(([name]) => !names.has(name.toLowerCase()));
    return { ...Object.fromEntries(others), ...own };
  },
});
