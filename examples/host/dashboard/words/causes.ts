/** Why an attempt failed, and what to do: for each failure code of a delivery. Pure. */

/** A failure in words. */
export interface Cause {
  /** A few words, for tables. */
  readonly text: string;
  /** A sentence: the probable cause. */
  readonly cause: string;
  /** A sentence: the next step. */
  readonly cure: string;
  /** Whether the reason may be that the receiver has another secret. */
  readonly isSecret?: boolean;
}

/** Every code of the API. */
export const CAUSES = {
  http_status: {
    text: 'Error status',
    cause: 'The endpoint answered with a status other than 2xx.',
    cure: 'Look at the logs of the receiver for the time of the attempt. After 400, 401 or 403, compare its secret with the channel’s.',
  },
  timeout: {
    text: 'Timeout',
    cause: 'The endpoint did not answer in time.',
    cure: 'Answer at once with 2xx, and do the work after that.',
  },
  connection_refused: {
    text: 'Connection refused',
    cause: 'Nothing listens on the port of the URL.',
    cure: 'Check that the receiver runs, and that host and port are right.',
  },
  connection_reset: {
    text: 'Connection reset',
    cause: 'The receiver closed the connection before it had answered.',
    cure: 'Look for a crash, a restart or a proxy’s time limit at the receiver.',
  },
  connection_failed: {
    text: 'No connection',
    cause: 'The receiver could not be reached over the network.',
    cure: 'Check its firewall and its routing.',
  },
  dns_failure: {
    text: 'Unknown host',
    cause: 'The host name of the URL does not resolve.',
    cure: 'Check the name for a typing error, and its DNS record.',
  },
  tls_failure: {
    text: 'TLS failure',
    cause: 'The handshake failed, or the certificate is not valid for the host.',
    cure: 'Renew the certificate, and serve the whole chain.',
  },
  protocol_error: {
    text: 'Not HTTP',
    cause: 'The answer was not HTTP/1.1.',
    cure: 'Check that the port is the one of the web server, and the scheme the right one.',
  },
  headers_too_large: {
    text: 'Headers too large',
    cause: 'The headers of the answer exceed the limit.',
    cure: 'Answer with fewer or smaller headers, such as cookies.',
  },
  address_refused: {
    text: 'Address refused',
    cause: 'The host name leads to an address that is private or reserved.',
    cure: 'Use a public address, or ask the operator of the service to allow this one.',
  },
  url_refused: {
    text: 'URL refused',
    cause: 'The URL may not be called, because of its scheme, its credentials or its form.',
    cure: 'Change the URL of the endpoint.',
  },
  endpoint_gone: {
    text: 'Endpoint deleted',
    cause: 'The endpoint was deleted before this attempt.',
    cure: 'Nothing was sent. Create the endpoint again if it is still wanted.',
  },
  internal_error: {
    text: 'Not sent',
    cause: 'The service itself could not send the delivery.',
    cure: 'The detail of the attempt names the reason; the operator of the service finds more in its log.',
  },
} as const satisfies Record<string, Cause>;

type OfStatus = Omit<Cause, 'text'>;

const COMPARE_SECRETS =
  'Compare its secret with that of the event’s channel, and check that it verifies the raw body, before anything parses it.';

const OF_STATUS: Readonly<Record<number, OfStatus>> = {
  400: {
    cause:
      'The receiver refused the request. Most likely it verifies signatures with the secret of another channel: each channel has ' +
      'its own. Or it could not parse the body.',
    cure: COMPARE_SECRETS,
    isSecret: true,
  },
  401: {
    cause:
      'The receiver did not accept the signature. Most likely it has the secret of another channel, or one that was rotated out: ' +
      'each channel has its own. Or the URL needs a login.',
    cure: COMPARE_SECRETS,
    isSecret: true,
  },
  403: {
    cause:
      'The receiver, or a firewall in front of it, refused the request. Some receivers also answer 403 when the signature was ' +
      'made with the secret of another channel.',
    cure: 'Compare the secrets, and allow requests from this service in the firewall.',
    isSecret: true,
  },
  404: {
    cause: 'The receiver has no such path.',
    cure: 'Check the path of the URL, and that the receiver’s latest version is deployed.',
  },
  405: {
    cause: 'The path does not accept POST.',
    cure: 'Check the path of the URL, or accept POST there.',
  },
  408: {
    cause: 'The receiver, or a proxy in front of it, gave up waiting for the request.',
    cure: 'Raise its time limit for requests.',
  },
  410: {
    cause: 'The receiver says that the path is gone for good.',
    cure: 'Change the URL of the endpoint, or delete the endpoint.',
  },
  413: {
    cause: 'The receiver, or a proxy in front of it, does not accept a body of this size.',
    cure: 'Raise its limit, or remove what it does not need with a transform.',
  },
  415: {
    cause: 'The receiver does not accept the content type of deliveries, which is application/json.',
    cure: 'Accept application/json at the path of the URL.',
  },
  422: {
    cause: 'The receiver read the request, but refused its content.',
    cure: 'Check which fields it expects, and whether a transform changed them.',
  },
  429: {
    cause: 'The receiver gets more requests than it accepts.',
    cure: 'Set a rate limit for the endpoint.',
  },
  500: {
    cause: 'The receiver failed while it handled the request (500).',
    cure: 'Look for the error in its logs, at the time of the attempt.',
  },
  502: {
    cause: 'A proxy in front of the receiver got no valid answer from it (502).',
    cure: 'Check that the receiver runs, and look for a crash at the time of the attempt.',
  },
  503: {
    cause: 'The receiver is overloaded, or down for maintenance (503).',
    cure: 'Wait until it is back; the retries go on. If it is overloaded, set a rate limit for the endpoint.',
  },
  504: {
    cause: 'A proxy in front of the receiver waited too long for its answer (504).',
    cure: 'Answer at once with 2xx, and do the work after that.',
  },
};

/** The cure for a secret that an earlier version made, or of a channel that has none. */
const UNSIGNED: Cause = {
  ...CAUSES.internal_error,
  cause:
    'No secret could sign the delivery. Standard Webhooks cannot use secrets that an earlier version of the service made.',
  cure: 'Rotate the secret. Until then, let the endpoint use the signature Svc-Signature.',
  isSecret: true,
};

/**
 * The cause of a failure.
 *
 * @param code - The code of the API; one that is not known is shown as it is.
 * @param status - The HTTP status, where there was an answer.
 * @param detail - The detail of the attempt.
 */
export function causeOf(code: string, status: number | null = null, detail = ''): Cause {
  if (detail === 'Not sent: invalid_secret') return UNSIGNED;
  const known: Cause = Object.hasOwn(CAUSES, code)
    ? CAUSES[code as keyof typeof CAUSES]
    : { text: code, cause: `The attempt failed with ${code}.`, cure: 'Look at the log of the service.' };
  if (code !== 'http_status' || status === null) return known;
  const text = `HTTP ${status}`;
  const own = OF_STATUS[status];
  if (own !== undefined) return { text, ...own };
  if (status >= 500) return { text, cause: `The receiver failed with ${status}.`, cure: known.cure };
  if (status >= 300 && status < 400) {
    const cure = 'Redirects are not followed: set the URL that it leads to.';
    return { text, cause: `The receiver answered with a redirect (${status}).`, cure };
  }
  return { ...known, text };
}
