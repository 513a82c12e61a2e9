/** The exchange of an attempt: sealed into the row of the attempt, and opened to be shown. */
import { isUtf8 } from 'node:buffer';
import type { Exchange, Settlement } from 'headgate/delivery';
import { type Field, type Sealer, SealingError } from '../secrets/sealing.js';

/** Bytes of a body as text that JSON can carry. */
export interface Content {
  readonly encoding: 'utf8' | 'base64';
  readonly text: string;
}

/** An exchange as it was stored. */
export interface StoredExchange extends Omit<Exchange, 'response'> {
  readonly response: (Omit<NonNullable<Exchange['response']>, 'body'> & { readonly body: Content }) | null;
}

/** Seals and opens. */
export interface Exchanges {
  /** Null if the attempt has no exchange. */
  seal(settlement: Settlement): string | null;
  /**
   * @param delivery - Its id.
   * @param attempt - Its number.
   * @returns Null if no key of the environment opens it.
   */
  open(sealed: string, delivery: string, attempt: number): StoredExchange | null;
}

/** The members of an exchange in the order in which they are stored. */
type Packed = readonly [
  head: string | null,
  response:
    | null
    | readonly [status: number, headers: readonly string[], isComplete: 0 | 1, ...Content[keyof Content][]],
  ...timings: readonly (number | null)[],
];

const STEPS = ['dns_ms', 'connect_ms', 'tls_ms', 'first_byte_ms', 'total_ms'] as const;

export const contentOf = (bytes: Uint8Array): Content =>
  isUtf8(bytes)
    ? { encoding: 'utf8', text: Buffer.from(bytes).toString() }
    : { encoding: 'base64', text: Buffer.from(bytes).toString('base64') };

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 10) / 10);

function pack({ request_head: head, response, timings }: Exchange): Packed {
  const times = STEPS.map((step) => rounded(timings[step]));
  if (response === null) return [head, null, ...times];
  const { status, headers, is_complete } = response;
  const { encoding, text } = contentOf(response.body);
  return [head, [status, headers.flat(), is_complete ? 1 : 0, encoding, text], ...times];
}

function unpack([head, response, ...times]: Packed): StoredExchange {
  const timings = Object.fromEntries(STEPS.map((step, i) => [step, times[i] ?? null]));
  const [status = 0, flat = [], isComplete, encoding, text = ''] = response ?? [];
  const headers = flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : []));
  const body = { encoding: encoding === 'base64' ? 'base64' : 'utf8', text } as const;
  return {
    request_head: head,
    response: response && { status, headers, is_complete: isComplete === 1, body },
    timings: timings as unknown as Exchange['timings'],
  };
}

/**
 * Phrases that most exchanges have in common, as JSON spells them. Each is stored as one control character, which JSON
 * text does not have: a usual exchange is half as long then, and compression would take longer than all the sealing.
 * Stored texts refer to the phrases by their order, so new ones are added at the end, and none is changed.
 */
const PHRASES = [
  ' HTTP/1.1\\r\\nhost: ',
  '\\r\\nconnection: keep-alive\\r\\n',
  'Content-Type: application/json\\r\\nUser-Agent: svc-dispatcher/1\\r\\nSvc-Event-Id: evt_',
  '\\r\\nSvc-Event-Type: webhook.received\\r\\nSvc-Origin: live\\r\\nSvc-Signature: t=',
  'Content-Type: application/json\\r\\nUser-Agent: ',
  '\\r\\nwebhook-id: evt_',
  '\\r\\nwebhook-signature: v1,',
  '\\r\\ntraceparent: 00-',
  '\\r\\ncontent-length: ',
  '"Date","',
  ' GMT","Connection","keep-alive","Keep-Alive","timeout=',
  '"content-type","application/json',
  '"Content-Type","application/json',
  ',"utf8","',
  '],null,null,null,',
].map((phrase, i) => [phrase, String.fromCharCode(i + 1)] as const);

const shortened = (json: string): string =>
  PHRASES.reduce((text, [phrase, sign]) => text.replace(phrase, sign), json);
const lengthened = (text: string): string =>
  PHRASES.reduce((json, [phrase, sign]) => json.replace(sign, () => phrase), text);

const fieldOf = (delivery: string, attempt: number): Field => `attempts:${delivery} ${attempt}:exchange`;

export const createExchanges = (sealer: Sealer): Exchanges => ({
  seal({ delivery, attempt, exchange }) {
    if (exchange === undefined || attempt === null) return null;
    return sealer.seal(shortened(JSON.stringify(pack(exchange))), fieldOf(delivery.id, attempt.number));
  },
  open(sealed, delivery, attempt) {
    try {
      return unpack(JSON.parse(lengthened(sealer.open(sealed, fieldOf(delivery, attempt)))) as Packed);
    } catch (error) {
      if (error instanceof SealingError) return null;
      throw error;
    }
  },
});
