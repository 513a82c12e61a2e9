/** The event that the guide sends. Pure. */

export const SAMPLE = JSON.stringify({
  kind: 'order.paid',
  amount: 980,
  customer: { name: 'Ada', country: 'GB' },
});

/** The path that the guide proposes to match. */
export const PROPOSED = 'data.body.kind';

/** A command that sends it. */
export const curlOf = (url: string): string => `curl ${url} \\
  -H 'content-type: application/json' \\
  -d '${SAMPLE}'`;
