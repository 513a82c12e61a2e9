/** Laws of the states of a scheduler's loop. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isGathering,
  isLooking,
  isRunning,
  isTimed,
  type LoopEvent,
  type LoopState,
  nextState,
} from '../../src/delivery/loop-state.js';

const EVENTS: readonly LoopEvent[] = [
  ...(['start', 'stop', 'wake', 'few_slots', 'timer'] as const),
  ...(['asked', 'full', 'drained', 'failed'] as const),
];
const STATES: readonly LoopState[] = [
  ...(['stopped', 'stopping', 'asleep', 'gathering', 'backing_off'] as const),
  ...(['looking', 'looking_then_gathering', 'looking_again'] as const),
];
const ENDS: readonly LoopEvent[] = ['full', 'drained', 'failed'];

interface Step {
  readonly before: LoopState;
  readonly event: LoopEvent;
  readonly after: LoopState;
}

/** Plays events as they can come: `asked` during a look, and one end of the look after it. */
function play(events: readonly LoopEvent[]): readonly Step[] {
  const steps: Step[] = [];
  let state: LoopState = 'stopped';
  let hasAsked = false;
  for (const event of events) {
    const isUnderWay = isLooking(state) || state === 'stopping';
    if (event === 'asked' && (!isUnderWay || hasAsked)) continue;
    if (ENDS.includes(event) && (!isUnderWay || !hasAsked)) continue;
    if (event === 'timer' && !isTimed(state)) continue;
    const after = nextState(state, event);
    steps.push({ before: state, event, after });
    state = after;
    if (event === 'asked') hasAsked = true;
    else if (ENDS.includes(event)) hasAsked = false;
  }
  return steps;
}

const always = (law: (steps: readonly Step[]) => void) =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 40, size: 'max' }), (events) =>
      law(play(['start', ...events])),
    ),
    { numRuns: 2_000 },
  );

/** Holds after each step for as long as an event of `causes` has not been answered by a look that asked after it. */
function untilAsked(causes: readonly LoopEvent[], isFine: (state: LoopState) => boolean) {
  always((steps) => {
    let isOwed = false;
    for (const { before, event, after } of steps) {
      const isHeard = event === 'start' ? !isRunning(before) : isRunning(before) && before !== 'backing_off';
      if (['asked', 'stop', 'failed'].includes(event)) isOwed = false;
      else if (causes.includes(event) && isHeard) isOwed = true;
      if (isOwed) expect(isFine(after), `${before} + ${event} → ${after}`).toBe(true);
    }
  });
}

describe('whatever happens, in any order', () => {
  test('a start, a wake and a timer are answered by a look that asks after it', () => {
    untilAsked(['start', 'wake', 'timer'], isLooking);
  });

  test('free slots are waited for, or looked for', () => {
    untilAsked(['few_slots'], (state) => isGathering(state) || isLooking(state));
  });

  test('a stopped loop runs again only when it is started', () => {
    always((steps) => {
      for (const { before, event, after } of steps) {
        if (!isRunning(before)) expect(isRunning(after)).toBe(event === 'start');
        else expect(isRunning(after)).toBe(event !== 'stop');
      }
    });
  });

  test('after a failure the store is left alone until the timer fires', () => {
    always((steps) => {
      for (const { before, event, after } of steps) {
        if (event === 'failed' && isRunning(before)) expect(after).toBe('backing_off');
        if (before === 'backing_off' && !['timer', 'stop'].includes(event)) expect(after).toBe(before);
      }
    });
  });

  test('a look under way ends only by its own end, or as a stop that waits for it', () => {
    always((steps) => {
      for (const { before, event, after } of steps) {
        if (!isLooking(before) || ENDS.includes(event)) continue;
        expect(isLooking(after) || after === 'stopping').toBe(true);
      }
    });
  });

  test('while it runs, a loop that does not look has a timer, or is asleep until it is woken', () => {
    for (const state of STATES) {
      if (isRunning(state) && !isLooking(state)) expect(isTimed(state)).toBe(true);
      if (isTimed(state)) expect(isLooking(nextState(state, 'timer'))).toBe(true);
    }
  });

  test('every state is reached', () => {
    const reached = new Set<LoopState>(['stopped']);
    always((steps) => {
      for (const { after } of steps) reached.add(after);
    });
    expect([...reached].sort()).toEqual([...STATES].sort());
  });
});
