/** Checks the dispatches given to `enqueue` before any is stored. */
import { OptionError } from '../errors.js';
import {
  type Check,
  type Checks,
  either,
  flag,
  instant,
  invalid,
  isPlainObject,
  kindOf,
  optional,
  text,
} from './arguments.js';
import { MAX_BODY_BYTES } from './byte-budget.js';
import { type Columns, columnValues } from './columns.js';
import { type Delivery, orderingKey } from './delivery.js';
import type { Dispatch, ReadBodies } from './store.js';

const origin: Check = (name, value) => {
  if (value !== 'live' && value !== 'replay') {
    throw invalid(`${name} is ${kindOf(value)}: give live or replay`);
  }
};

/**
 * Checks of the members of a new delivery that stores read. The other members have the values of `newDelivery`, and the
 * state follows from the lease.
 */
const CHECKS: Checks<Omit<Delivery, 'state' | 'attempts' | 'last_attempt' | 'finished_at' | 'holds_key'>> = {
  id: text,
  event_id: text,
  event_type: text,
  endpoint_id: text,
  origin,
  replay_of: either(null, text),
  due_at: instant,
  lease: either(null, optional(text)),
  created_at: instant,
  columns: optional(columnValues),
  ordering_key: either(null, optional(orderingKey)),
};

const MEMBERS = Object.entries<Check>(CHECKS);

/**
 * Refuses dispatches that cannot be stored or sent. Every store calls it first in `enqueue`.
 *
 * @param dispatches - The host's argument.
 * @throws {@link OptionError} `body_too_large`, or `invalid_option` naming what to give.
 */
export function assertDispatches(dispatches: unknown): asserts dispatches is readonly Dispatch[] {
  if (!Array.isArray(dispatches)) {
    throw invalid(`dispatches is ${kindOf(dispatches)}: give an array, such as [createDispatch(…)]`);
  }
  assertEach('dispatches', dispatches, assertDispatch);
}

/** Builds the path to a wrong value only after a check has failed, since most are valid. */
function assertEach(name: string, values: readonly unknown[], assert: (value: unknown) => void): void {
  for (let i = 0; i < values.length; i++) {
    try {
      assert(values[i]);
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      throw new OptionError(error.code, `${name}[${i}].${error.message}`);
    }
  }
}

function assertDispatch(dispatch: unknown): void {
  if (!isPlainObject(dispatch)) throw invalid(`dispatch is ${kindOf(dispatch)}: give { body, deliveries }`);
  const { body, deliveries, storeBody } = dispatch;
  assertBody(body);
  if (storeBody !== undefined) flag('storeBody', storeBody);
  if (!Array.isArray(deliveries)) {
    throw invalid(`deliveries is ${kindOf(deliveries)}: give an array of deliveries`);
  }
  assertEach('deliveries', deliveries, assertNew);
}

function assertBody(body: unknown): void {
  if (!(body instanceof Uint8Array)) {
    throw invalid(`body is ${kindOf(body)}: give bytes, such as new TextEncoder().encode(text)`);
  }
  if (body.byteLength <= MAX_BODY_BYTES) return;
  throw new OptionError(
    'body_too_large',
    `body has ${body.byteLength} bytes: a delivery carries up to ${MAX_BODY_BYTES}; send a link to what is larger`,
  );
}

function assertNew(delivery: unknown): void {
  if (!isPlainObject(delivery)) {
    throw invalid(`delivery is ${kindOf(delivery)}: give what newDelivery() makes`);
  }
  for (const [key, check] of MEMBERS) check(key, delivery[key]);
}

/** The options of a store that decide which dispatches it can hold. */
export interface Holdings {
  readonly columns: Columns;
  readonly readBodies?: ReadBodies | undefined;
}

/**
 * Refuses deliveries with values that a store's columns cannot hold, and bodies that it could not read again.
 *
 * @param dispatches - Checked by {@link assertDispatches}.
 * @throws {@link OptionError} `invalid_option`, naming the column or the option.
 */
export function assertHoldable(dispatches: readonly Dispatch[], { columns, readBodies }: Holdings): void {
  for (const { deliveries, storeBody } of dispatches) {
    if (storeBody === false && readBodies === undefined) {
      throw invalid('storeBody is false: create the store with readBodies, or leave storeBody out');
    }
    for (const one of deliveries) columns.assert('columns', one.columns);
  }
}
