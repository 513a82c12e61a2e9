/** The states of a scheduler's loop and every transition between them. Pure; `loop.ts` acts on the result. */

/**
 * - `stopped`: does nothing until it is started.
 * - `stopping`: was stopped during a look. The claims of that look go back to the store.
 * - `asleep`: nothing can be claimed now. A timer or a wake ends it.
 * - `gathering`: a few slots are free. The loop waits a little for more, since a claim for one costs nearly as much as
 *   a claim for many.
 * - `looking`: asks the store for due deliveries.
 * - `looking_then_gathering`: the same, and a few slots were freed since the store was asked.
 * - `looking_again`: the same, and something has become due or free since the store was asked: another look follows.
 * - `backing_off`: a claim failed. Only the timer or a restart ends it.
 */
export type LoopState =
  | 'stopped'
  | 'stopping'
  | 'asleep'
  | 'gathering'
  | 'looking'
  | 'looking_then_gathering'
  | 'looking_again'
  | 'backing_off';

/**
 * - `start`, `stop`: the host's calls.
 * - `wake`: a delivery may be due, or enough slots are free for a claim.
 * - `few_slots`: a slot is free, but too few are for a claim.
 * - `timer`: the timer of the state has fired.
 * - `asked`: a look reads which slots are free and asks the store.
 * - `full`: the look ended with nothing free: the end of an attempt is waited for.
 * - `drained`: the look ended with slots free: the store gave all that could be claimed.
 * - `failed`: the store failed, and the look ended.
 */
export type LoopEvent =
  'start' | 'stop' | 'wake' | 'few_slots' | 'timer' | 'asked' | 'full' | 'drained' | 'failed';

/** An event that a state does not list leaves the state as it is. */
const TRANSITIONS: Readonly<Record<LoopState, Readonly<Partial<Record<LoopEvent, LoopState>>>>> = {
  stopped: { start: 'looking' },
  stopping: { start: 'looking_again', full: 'stopped', drained: 'stopped', failed: 'stopped' },
  asleep: { stop: 'stopped', wake: 'looking', timer: 'looking', few_slots: 'gathering' },
  gathering: { stop: 'stopped', wake: 'looking', timer: 'looking' },
  looking: {
    stop: 'stopping',
    wake: 'looking_again',
    few_slots: 'looking_then_gathering',
    full: 'asleep',
    drained: 'asleep',
    failed: 'backing_off',
  },
  looking_then_gathering: {
    stop: 'stopping',
    wake: 'looking_again',
    timer: 'looking_again',
    asked: 'looking',
    full: 'gathering',
    // The store was asked before those slots were free, and their endpoints may have more.
    drained: 'looking',
    failed: 'backing_off',
  },
  looking_again: {
    stop: 'stopping',
    asked: 'looking',
    full: 'looking',
    drained: 'looking',
    failed: 'backing_off',
  },
  backing_off: { stop: 'stopped', timer: 'looking' },
};

/** The state after an event. */
export const nextState = (state: LoopState, event: LoopEvent): LoopState =>
  TRANSITIONS[state][event] ?? state;

const LOOKING: ReadonlySet<LoopState> = new Set(['looking', 'looking_then_gathering', 'looking_again']);
const GATHERING: ReadonlySet<LoopState> = new Set(['gathering', 'looking_then_gathering']);
const TIMED: ReadonlySet<LoopState> = new Set([...GATHERING, 'asleep', 'backing_off']);

/** True from `start` to `stop`. */
export const isRunning = (state: LoopState): boolean => state !== 'stopped' && state !== 'stopping';

/** True while a look is under way whose claims are attempted. */
export const isLooking = (state: LoopState): boolean => LOOKING.has(state);

/** True while a few slots are free and the loop waits for more. */
export const isGathering = (state: LoopState): boolean => GATHERING.has(state);

/** True for a state that a timer may end. */
export const isTimed = (state: LoopState): boolean => TIMED.has(state);
