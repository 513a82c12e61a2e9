/**
 * Compares the sealing keys of this process with those that the database was used with. A process with other keys would
 * take events in and never be able to sign their deliveries.
 */
import type { Database, Queries } from '../db/index.js';
import { createSealer, keyIdOf, type Field, type Sealer, type SealingKey } from '../secrets/sealing.js';
import { sealedTexts } from '../stored/sealed.js';

/** Secrets that this process cannot read. Thrown by {@link assertKeysFit}. */
export class UnreadableSecrets extends Error {
  override readonly name = 'UnreadableSecrets';
}

/** Counts of unreadable texts by the id of their key. */
type Counts = Map<string, number>;

/**
 * Refuses a database with secrets that these keys cannot open, or that another process seals with other keys of the
 * same ids.
 *
 * @param keys - Newest first; none if no key was ever made.
 * @param remedy - A sentence that says where the missing keys belong.
 * @returns The number of damaged texts: nothing opens them, although their key is right.
 * @throws UnreadableSecrets, naming the id of every missing key.
 */
export async function assertKeysFit(
  db: Database,
  keys: readonly SealingKey[],
  remedy: string,
): Promise<number> {
  const sealers: Sealers = new Map(keys.map((key) => [key.id, createSealer([key])]));
  const proven = await readProofs(db, sealers);
  const [missing, others]: [Counts, Counts] = [new Map(), new Map()];
  let damaged = 0;
  for await (const { sealed, field } of sealedTexts(db)) {
    const id = keyIdOf(sealed);
    const sealer = id === null ? undefined : sealers.get(id);
    if (id !== null && sealer === undefined) count(missing, id);
    else if (sealer?.opens(sealed, field) === true) continue;
    else if (id === null || proven.get(id) === true) damaged++;
    else count(others, id);
  }
  if (missing.size + others.size === 0) await leaveProofs(db, sealers);
  for (const [id, isRight] of await readProofs(db, sealers)) {
    if (!isRight && !others.has(id)) others.set(id, 0);
  }
  if (missing.size + others.size === 0) return damaged;
  const lines = [
    ...[...missing].map(([id, n]) => `the key ${id} is missing, which sealed ${secrets(n)}`),
    ...[...others].map(([id, n]) => `the key ${id} has another value than the one that sealed ${secrets(n)}`),
  ];
  throw new UnreadableSecrets(
    ['the secrets in the database cannot be read:', ...lines.map((line) => `  ${line}`), remedy].join('\n'),
  );
}

const count = (counts: Counts, id: string): void => void counts.set(id, (counts.get(id) ?? 0) + 1);
const secrets = (n: number): string =>
  n === 0 ? 'secrets of another process' : n === 1 ? '1 secret' : `${n} secrets`;

/** A sealer for each key, by its id. */
type Sealers = ReadonlyMap<string, Sealer>;

const proofField = (id: string): Field => `sealing_keys:${id}:proof`;
const SELECT_PROOFS = 'select id, proof from sealing_keys where id in {list $1}';

/**
 * Leaves a proof of each key in the database, unless another process has. So of two processes that start on an empty
 * database with different keys of one id, only one goes on.
 */
async function leaveProofs(db: Queries, sealers: Sealers): Promise<void> {
  const rows = [...sealers].map(([id, sealer]) => ({ id, proof: sealer.seal('proof', proofField(id)) }));
  await db.insert('sealing_keys', rows, '(id) do nothing');
}

/** By the id of each key that has a proof: whether it is the key that made the proof. */
async function readProofs(db: Queries, sealers: Sealers): Promise<ReadonlyMap<string, boolean>> {
  const ids = JSON.stringify([...sealers.keys()]);
  const rows = await db.all<{ readonly id: string; readonly proof: string }>(SELECT_PROOFS, [ids]);
  return new Map(rows.map(({ id, proof }) => [id, sealers.get(id)?.opens(proof, proofField(id)) === true]));
}
