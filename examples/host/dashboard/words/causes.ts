/** Why an attempt failed, and what to do: for each failure code of a delivery. Pure. */

/** A failure in words. */
export interface Cause {
  /** A few words, for tables. */
  readonly text: string;
  /** A sentence: the probable cause. */
  readonly cause: string;
  /** A sentence: the next step. */
  readonly cure: string;
}

/** Every code of the API. */
export const CAUSES = {
  http_status: {
    text: 'Error status',
    cause: 'The endpoint answered with a status other than 2xx.',
    cure: 'Look at the logs of the receiver for the time of the attempt.',
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
    cure: 'Nothing was sent. Make the endpoint again if it is still wanted.',
  },
  internal_error: {
    text: 'Not sent',
    cause: 'The service itself could not send the delivery.',
    cure: 'The detail of the attempt names the reason; the operator of the service finds more in its log.',
  },
} as const satisfies Record<string, Cause>;

const OF_STATUS: Readonly<Record<number, Pick<Cause, 'cause' | 'cure'>>> = {
  400: { cause: 'The receiver could not read the request.', cure: 'Check how the receiver parses the body.' },
  401: {
    cause: 'The receiver did not accept the signature.',
    cure: 'Check that it has the secret of the channel, and verifies the raw body.',
  },
  403: {
    cause: 'The receiver, or a firewall before it, refuses the request.',
    cure: 'Allow the requests of the service.',
  },
  404: { cause: 'The receiver has no such path.', cure: 'Check the path of the URL.' },
  405: { cause: 'The path takes no POST.', cure: 'Check the path of the URL, or allow POST there.' },
  410: { cause: 'The receiver says that the path is gone for good.', cure: 'Change or delete the endpoint.' },
  413: { cause: 'The receiver takes no body of this size.', cure: 'Raise the limit of the receiver.' },
  429: {
    cause: 'The receiver gets more requests than it takes.',
    cure: 'Set a rate limit for the endpoint.',
  },
};

/**
 * The cause of a failure.
 *
 * @param code - Of the API; one that is not known is shown as it is.
 * @param status - The HTTP status, where there was an answer.
 */
export function causeOf(code: string, status: number | null = null): Cause {
  const known: Cause = Object.hasOwn(CAUSES, code)
    ? CAUSES[code as keyof typeof CAUSES]
    : { text: code, cause: `The attempt failed with ${code}.`, cure: 'Look at the log of the service.' };
  if (code !== 'http_status' || status === null) return known;
  const text = `HTTP ${status}`;
  if (status >= 500) {
    return { text, cause: `The receiver failed with ${status}.`, cure: known.cure };
  }
  if (status >= 300 && status < 400) {
    const cure = 'Redirects are not followed: set the URL that it leads to.';
    return { text, cause: `The receiver answered with a redirect (${status}).`, cure };
  }
  return { ...known, ...OF_STATUS[status], text };
}
