/** Names for requests that must not be done twice, however often they are sent. */

/** 128 random bits; `crypto.randomUUID` is missing on pages that were not loaded over TLS. */
export const requestName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
