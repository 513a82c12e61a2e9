/** The bodies of the deliveries of a claim, which the store has or reads again. */
import type { Delivery } from '../delivery/delivery.js';
import type { ReadBodies } from '../delivery/store.js';
import { StoreError } from '../errors.js';

/** The body of a leased delivery: its bytes; `null` if they are missing; `'unstored'` if `readBodies` has them. */
export type LeasedBody = Uint8Array | null | 'unstored';

/**
 * Reads the bodies that are not stored.
 *
 * @param leased - Deliveries with their bodies.
 * @param readBodies - The store's option.
 * @returns The body of each delivery, in order; `null` if it is missing.
 */
export async function bodiesOf(
  leased: readonly { readonly delivery: Delivery; readonly body: LeasedBody }[],
  readBodies: ReadBodies | undefined,
): Promise<readonly (Uint8Array | null)[]> {
  const unstored = leased.filter(({ body }) => body === 'unstored').map(({ delivery }) => delivery);
  const given: unknown = unstored.length === 0 ? [] : await readBodies?.(unstored);
  const read: readonly unknown[] = Array.isArray(given) ? given : [];
  let at = 0;
  return leased.map(({ body }) => {
    if (body !== 'unstored') return body;
    const bytes = read[at++];
    return bytes instanceof Uint8Array ? bytes : null;
  });
}

/**
 * The error that reports the damage of a leased delivery; `null` if it has none.
 *
 * @param body - Its body; `null` if it is missing.
 * @param columns - Names of columns that could not be read.
 */
export function damageOf(
  id: string,
  body: Uint8Array | null,
  columns: readonly string[] = [],
): StoreError | null {
  const sentences = [
    ...(body === null ? ['its body is gone: it is not sent, and looked at again when its lease ends'] : []),
    ...columns.map((column) => `its ${column} do not fit its rows: it goes on with what can be read`),
  ];
  if (sentences.length === 0) return null;
  return new StoreError('store_damaged', `delivery ${JSON.stringify(id)}: ${sentences.join('; ')}`);
}
