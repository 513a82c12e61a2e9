/** Redelivers dead letters. */
import { deliveryId, type ReplayOptions } from 'headgate/delivery';
import type { Transaction } from '../db/index.js';
import { Problem } from '../errors/problem.js';
import { BatchRefused } from './bulk/runner.js';
import { type DeliveryRow, KEEP_ALERT_EVENTS, KEEP_EVENTS, SELECT_KNOWN, SELECT_SENT } from './statements.js';

/** Letters left the queue after they were read: read them again, and retry. */
export class LettersChanged extends BatchRefused {
  override readonly name = 'LettersChanged';
}

const MAX_TRIES = 5;

/**
 * Runs work on letters again where they have changed meanwhile.
 *
 * @param work - Reads them each time.
 * @throws Problem `conflict` where they go on changing.
 */
export async function withFreshLetters<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LettersChanged)) throw error;
      if (tries === MAX_TRIES) {
        throw new Problem('conflict', 'others are changing the same dead letters: try again');
      }
    }
  }
}

/**
 * Redelivers letters: each leaves the queue, and a new delivery with its body is due at once. Of several letters of one
 * event for one endpoint the first is sent; the others leave the queue with it.
 *
 * @param letters - Dead letters of one project, as they were read in this transaction.
 * @param options - When, and the action: an action sends no event twice to an endpoint.
 * @param redelivery - The bulk redelivery, where it is one.
 * @returns The new deliveries.
 * @throws LettersChanged where another transaction has taken some of the letters.
 */
export async function redeliver(
  tx: Transaction,
  letters: readonly DeliveryRow[],
  options: ReplayOptions,
  redelivery: string | null,
): Promise<readonly DeliveryRow[]> {
  const chosen = new Map<string, DeliveryRow>();
  for (const letter of letters) {
    const id = replayIdOf(letter, options.replay);
    if (!chosen.has(id)) chosen.set(id, letter);
  }
  await keepEvents(tx, letters);
  const known = await tx.all<{ id: string }>(SELECT_KNOWN, [JSON.stringify([...chosen.keys()])]);
  for (const { id } of known) chosen.delete(id);
  const sent = new Set([...chosen.values()].map(({ id }) => id));
  const doubles = letters.filter(({ id }) => !sent.has(id)).map(({ id }) => id);
  const replay = { ...options, columns: { redelivery_id: redelivery } };
  await expectAll(sent.size, () => tx.deliveries.redeliver({ ids: [...sent] }, replay));
  await expectAll(doubles.length, () => tx.deliveries.discard({ ids: doubles }));
  return tx.all<DeliveryRow>(SELECT_SENT, [JSON.stringify([...chosen.keys()])]);
}

async function keepEvents(tx: Transaction, letters: readonly DeliveryRow[]): Promise<void> {
  const events = [...new Set(letters.map(({ event_id }) => event_id))];
  const values = [letters[0]?.project_id ?? '', JSON.stringify(events)];
  await expectAll(events.length, async () => {
    const { length: kept } = await tx.all(KEEP_EVENTS, values);
    return kept === events.length ? kept : kept + (await tx.all(KEEP_ALERT_EVENTS, values)).length;
  });
}

/**
 * Takes letters out of the queue for good.
 *
 * @throws LettersChanged where another transaction has taken some of the letters.
 */
export async function discard(tx: Transaction, letters: readonly DeliveryRow[]): Promise<void> {
  const ids = letters.map(({ id }) => id);
  await expectAll(ids.length, () => tx.deliveries.discard({ ids }));
}

/** The library returns how many it has changed, not which: if that is not all, the transaction is rolled back. */
async function expectAll(count: number, change: () => Promise<number>): Promise<void> {
  if (count > 0 && (await change()) !== count) throw new LettersChanged('letters have left the queue');
}

/** The id that the library gives to the redelivery of a letter. */
export const replayIdOf = ({ event_id, endpoint_id }: DeliveryRow, replay: string): string =>
  deliveryId(event_id, endpoint_id, replay);
