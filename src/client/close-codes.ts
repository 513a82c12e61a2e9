/** The close codes of the protocol. */
import type { ClientErrorCode } from './client-error.js';

/** Codes with which this side closes. */
export const NORMAL = 1000;
export const PROTOCOL_ERROR = 4400;
export const TIMEOUT = 4408;

/** The code of a connection that broke without one (RFC 6455, 7.4.1). */
export const ABNORMAL = 1006;

/**
 * Stands for a runtime that cannot connect at all. No runtime tells a negative code; Deno tells 0 if it cannot connect.
 */
export const NO_WEBSOCKET = -1;

/** After these, connecting again is pointless. */
export const ENDS: Readonly<Record<number, ClientErrorCode>> = {
  [NO_WEBSOCKET]: 'no_websocket',
  4001: 'unauthorized',
  4002: 'replaced',
  [PROTOCOL_ERROR]: 'protocol_error',
  4403: 'forbidden',
  4404: 'unknown_from',
};

/** After these, and all that are not listed, the client connects again. */
export const BREAKS: Readonly<Record<number, ClientErrorCode>> = {
  [TIMEOUT]: 'timeout',
  4429: 'too_fast',
  4503: 'going_away',
};
