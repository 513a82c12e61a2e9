/** Checks the answers of a store before they are used. */
import { StoreError } from '../errors.js';
import { isCount } from '../integers.js';
import type { Claim, ClaimResult } from './store.js';

/** The valid parts of a claim's answer. */
export interface ClaimAnswer extends Omit<ClaimResult, 'damaged'> {
  readonly isRestrained: boolean;
  /** The elements are passed on unchecked. */
  readonly damaged: readonly unknown[];
  /** Names the invalid parts; null when there are none. The leases of dropped deliveries end by themselves. */
  readonly fault: StoreError | null;
}

const brokenContract = (fault: string): StoreError =>
  new StoreError('store_failed', `The store broke its contract: ${fault}`);

/**
 * Reads the answer of `claim`.
 *
 * @param answer - Any value.
 * @throws {@link StoreError} `store_failed` where no part of it can be used.
 */
export function claimAnswerOf(answer: unknown): ClaimAnswer {
  const members = Object(answer) as { [member in keyof ClaimResult]?: unknown };
  const { claims, nextDueAt = null, damaged = [], isRestrained } = members;
  if (!Array.isArray(claims)) throw brokenContract('claim() did not return a list of claims');
  const good = uniqueClaims(claims);
  const isInstant = nextDueAt === null || (typeof nextDueAt === 'number' && !Number.isNaN(nextDueAt));
  const bad = claims.length - good.length;
  const faults = [
    ...(bad === 0 ? [] : [`claim() returned ${bad} claims that lack a valid delivery or a body`]),
    ...(isInstant ? [] : ['nextDueAt of claim() is neither a number nor null']),
    ...(Array.isArray(damaged) ? [] : ['damaged of claim() is not a list of errors']),
  ];
  return {
    claims: good,
    nextDueAt: isInstant ? nextDueAt : null,
    isRestrained: isRestrained !== false,
    damaged: Array.isArray(damaged) ? damaged : [],
    fault: faults.length === 0 ? null : brokenContract(faults.join('; ')),
  };
}

/** The complete claims; of one delivery, only the first. */
function uniqueClaims(claims: readonly unknown[]): readonly Claim[] {
  const ids = new Set<string>();
  return claims.filter((claim): claim is Claim => {
    if (!isClaim(claim) || ids.has(claim.delivery.id)) return false;
    ids.add(claim.delivery.id);
    return true;
  });
}

function isClaim(claim: unknown): claim is Claim {
  try {
    const { delivery, body, dueAt } = Object(claim) as { [member in keyof Claim]?: unknown };
    const isDueAt = dueAt === undefined || typeof dueAt === 'number';
    return isDueAt && body instanceof Uint8Array && isDelivery(delivery);
  } catch {
    return false;
  }
}

const TEXTS = ['id', 'event_id', 'event_type', 'endpoint_id'] as const;

function isDelivery(delivery: unknown): boolean {
  const members = Object(delivery) as Readonly<Record<string, unknown>>;
  return isCount(members.attempts) && TEXTS.every((text) => typeof members[text] === 'string');
}

/**
 * Reads the answer of `settle`.
 *
 * @param answer - Any value.
 * @param count - The number of settlements.
 * @throws {@link StoreError} `store_failed` unless it has a boolean for each settlement.
 */
export function settleAnswerOf(answer: unknown, count: number): readonly boolean[] {
  const isBoolean = (held: unknown): held is boolean => typeof held === 'boolean';
  if (Array.isArray(answer) && answer.length === count && answer.every(isBoolean)) return answer;
  throw brokenContract(`settle() did not return a list of ${count} booleans`);
}
