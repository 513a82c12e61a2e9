/**
 * The bytes that callers make the process hold: bodies and frames from when they are read, answers until they are
 * taken. Each is charged to the project that it belongs to, or to the callers without credentials at the same door.
 */
import { Problem } from '../errors/problem.js';
import { createLedger, type Ledger } from './ledger.js';

/** Bytes, unless the operator chooses another number. */
export const DEFAULT_MEMORY = 134_217_728;

const STRANGERS = 'strangers: ';
const READERS = 'readers: ';
/** Callers without credentials have at most this part of the whole at each door, however little others take. */
const PART_OF_STRANGERS = 1 / 8;
/** All that a project's SDK clients have not read yet is at most this part of the whole. */
const PART_OF_READERS = 1 / 4;

/**
 * The owner of what callers without credentials send or ask for.
 *
 * @param door - The path of a route. Doors have shares of their own, so a crowd at one leaves the others open.
 */
export const strangersAt = (door: string): string => STRANGERS + door;

/**
 * The owner of what a project's SDK clients have not read yet: clients that do not read must not keep new events out.
 */
export const readersOf = (project: string): string => READERS + project;

function partOf(owner: string): number {
  if (owner.startsWith(STRANGERS)) return PART_OF_STRANGERS;
  return owner.startsWith(READERS) ? PART_OF_READERS : 1;
}

/** An empty ledger of bytes. */
export const createMemory = (bytes: number = DEFAULT_MEMORY): Ledger =>
  createLedger(bytes, (owner) => bytes * partOf(owner));

/** The refusal of what would not fit. */
export const overloaded = (message = 'the service has too much in hand; try again'): Problem =>
  new Problem('overloaded', message, { retryAfter: 1 });

/** The refusal of an answer that would not fit. */
export const unread = (): Problem => overloaded('too many answers wait to be read; try again');
