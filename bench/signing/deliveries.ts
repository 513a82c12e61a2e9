import { createHmac } from 'node:crypto';

/** Received bytes, or text for the libraries that take nothing else. */
export type Form = 'bytes' | 'text';
export const forms: readonly Form[] = ['bytes', 'text'];

/** The same data in both forms. */
interface Forms {
  readonly text: string;
  readonly bytes: Buffer;
}

/** A delivery in the forms and under the header schemes of all contenders. */
export interface Delivery {
  readonly timestamp: number;
  readonly body: Forms;
  /** The bytes that the MAC covers, in one piece. */
  readonly payload: Forms;
  /** As node:http gives them. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Contender {
  readonly name: string;
  readonly forms: readonly Form[];
  sign(delivery: Delivery, form: Form): unknown;
  verify(delivery: Delivery, form: Form): boolean | Promise<boolean>;
}

export const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** Deliveries of one size that differ in body and time, so that nothing is answered from a cache. */
export function deliveries(size: number, count: number): Delivery[] {
  const now = Math.floor(Date.now() / 1000);
  return Array.from({ length: count }, (_, nth) => delivery(size, nth, now + nth));
}

function delivery(size: number, nth: number, timestamp: number): Delivery {
  const text = `{"id":"evt_${nth}","data":"`.padEnd(size - 2, 'x') + '"}';
  const payload = `${timestamp}.${text}`;
  return {
    timestamp,
    body: { text, bytes: Buffer.from(text) },
    payload: { text: payload, bytes: Buffer.from(payload) },
    headers: headersOf(text, payload, nth, timestamp),
  };
}

function headersOf(text: string, payload: string, nth: number, timestamp: number): Record<string, string> {
  const mac = (data: string) => createHmac('sha256', secret).update(data).digest('hex');
  const standard = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  return {
    host: 'hooks.example.com',
    connection: 'keep-alive',
    'content-type': 'application/json',
    'user-agent': 'svc-dispatcher/1',
    'svc-event-id': `evt_${nth}`,
    'svc-event-type': 'webhook.received',
    'svc-origin': 'live',
    'svc-timestamp': String(timestamp),
    'svc-signature': `t=${timestamp},v1=${mac(payload)}`,
    'content-length': String(text.length),
    'x-hub-signature-256': `sha256=${mac(text)}`,
    'webhook-id': `evt_${nth}`,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${standard.update(`evt_${nth}.${payload}`).digest('base64')}`,
  };
}
