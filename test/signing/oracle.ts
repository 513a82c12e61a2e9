/**
 * The receiver of docs/signing.md, written for its sentences alone: slow, and of nothing that src has. What it says of
 * a delivery must be what `headgate/signing` and `headgate/signing/web` say.
 */
import { createHmac } from 'node:crypto';
import type { Outcome } from './runtimes.js';

type Headers = Readonly<Record<string, unknown>>;

interface Receiver {
  readonly secrets: readonly string[];
  readonly now: number;
  readonly toleranceSeconds: number;
  readonly futureToleranceSeconds: number;
}

/**
 * Text; `undefined` where there is none; `null` for what is no text. Names match in any case, node's spelling first.
 */
export function textOf(headers: Headers, name: string): string | null | undefined {
  const names = Object.keys(headers).filter((key) => key.toLowerCase() === name);
  const key = names.includes(name) ? name : names[0];
  const value = key === undefined ? undefined : headers[key];
  if (value === undefined || value === null) return undefined;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.every((one) => typeof one === 'string') ? list.join(', ') : null;
}

export function expected(receiver: Receiver, body: string, headers: Headers): Outcome {
  const [signature, timestamp, origin = 'live', eventId = '', eventType = ''] = [
    'signature',
    'timestamp',
    'origin',
    'event-id',
    'event-type',
  ].map((part) => textOf(headers, `svc-${part}`));
  if (signature === undefined) return 'missing_header';
  if (signature === null) return 'malformed_header';
  const parts = signature.split(',');
  const [t = '', ...others] = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2));
  const v1 = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3));
  const isForm = (part: string) => /^(v1|t)=/.test(part) || /^[^\s=]+=/.test(part);
  if (!parts.every(isForm) || others.length > 0 || !/^[0-9]{1,12}$/.test(t) || v1.length === 0) {
    return 'malformed_header';
  }
  if (origin !== 'live' && origin !== 'replay') return 'malformed_header';
  if (timestamp === null) return 'malformed_header';
  if (timestamp !== undefined && timestamp !== t) return 'timestamp_mismatch';
  if (receiver.now - Number(t) > receiver.toleranceSeconds) return 'timestamp_too_old';
  if (Number(t) - receiver.now > receiver.futureToleranceSeconds) return 'timestamp_in_future';
  if (eventId === null || eventType === null) return 'malformed_header';
  const macs = receiver.secrets.map((secret) =>
    createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'),
  );
  if (!v1.slice(0, 16).some((value) => macs.includes(value))) return 'signature_mismatch';
  return { eventId, eventType, origin, timestamp: Number(t) };
}
