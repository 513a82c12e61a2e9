/** The schedule, with numbers for threads: no event is lost or decided twice, and no thread has two jobs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PersistedEvent } from '../../src/stored/event-json.js';
import { type Job, type LaneSettings, type Outcome, Schedule } from '../../src/deciding/schedule.js';
import { decisionOf } from './seed.js';

const QUICK: LaneSettings = {
  ...{ threads: 2, niceness: 0, jobEvents: 4, jobUnits: 30, stuckMs: 20, hangMs: 60 },
};
const SLOW: LaneSettings = { ...QUICK, threads: 1, niceness: 10, jobEvents: 1, stuckMs: Infinity };
const MOST_AWAY = 4;
const LARGE = 300_000;
const LOST = new Error('lost');

/** A host whose threads do what the test says, and the accounts of all its events. */
function world(quick = QUICK) {
  const [added, decided, failed]: [string[], string[], string[]] = [[], [], []];
  /** Threads that live, with the niceness of their lanes. */
  const threads = new Map<number, number>();
  const jobs: Job<number>[] = [];
  let last = 0;
  const schedule = new Schedule<number>(quick, SLOW, ({ niceness }) => {
    threads.set(++last, niceness);
    return last;
  });
  const end = (job: Job<number>, outcome: Outcome): void => {
    jobs.splice(jobs.indexOf(job), 1);
    if (!outcome.keepsThread) threads.delete(job.thread);
    decided.push(...outcome.decided.map(({ event }) => event.id));
    for (const { events, isTemporary } of outcome.failures) {
      if (isTemporary) schedule.add(events, true);
      else failed.push(...events.map(({ id }) => id));
    }
  };
  const lose = (job: Job<number>, progress: number | null): void =>
    end(job, schedule.lost(job, progress, LOST));
  return {
    ...{ schedule, added, decided, failed, threads, jobs, lose },
    add(project: string, units = 2): void {
      const event = { id: `e${added.length}`, project, data: ' '.repeat(units), rawPayload: null };
      added.push(event.id);
      schedule.add([event as PersistedEvent]);
    },
    /** @param broken - A project whose rules cannot be loaded. */
    begin(broken: string | null = null, rules = '[]'): Job<number> | null {
      const job = schedule.next();
      if (job === null) return null;
      expect(threads.get(job.thread)).toBe(job.lane.niceness);
      expect(jobs.map(({ thread }) => thread)).not.toContain(job.thread);
      jobs.push(job);
      const projects = [...new Set(job.events.map(({ project }) => project))].map((project) => ({
        ...{ project, version: 7, rules, events: job.events.filter((event) => event.project === project) },
      }));
      const isBroken = ({ project }: { readonly project: string }): boolean => project === broken;
      for (const { events } of projects.filter(isBroken)) failed.push(...events.map(({ id }) => id));
      schedule.begin(
        job,
        projects.filter((group) => !isBroken(group)),
        0,
      );
      if (job.groups.length === 0) end(job, schedule.answered(job, [], 0));
      return job;
    },
    /** Some time passes; a thread that is to be ended is lost at once. */
    look(job: Job<number>, progress: number): void {
      const found = schedule.look(job, progress, 0);
      if (found === null || found === 'stuck') return;
      const lost = jobs.find(({ thread }) => thread === found.end)!;
      lose(lost, lost.progress);
    },
    /** @param bad - Events that cannot be evaluated, and projects whose rules cannot be compiled. */
    answer(job: Job<number>, bad: (name: string) => boolean, ms = 0): void {
      const evaluated = (id: string) =>
        bad(id) ? { decision: null, error: 'bad', ms } : { decision: decisionOf(), error: null, ms };
      const answers = job.groups.map(({ project, events }) =>
        bad(project) ? { error: 'bad' } : events.map(({ id }) => evaluated(id)),
      );
      end(job, schedule.answered(job, answers, 0));
    },
  };
}

const step = fc.record({
  kind: fc.constantFrom('add', 'add', 'begin', 'begin', 'look', 'look', 'look', 'answer', 'lose', 'fail'),
  project: fc.constantFrom('a', 'b', 'c', 'd'),
  n: fc.nat({ max: 9 }),
  isOdd: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});

test('every event comes out once, whatever happens to its threads, and few threads live at once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const host = world();
      for (const { kind, project, n, isOdd } of steps) {
        const job = host.jobs[n % Math.max(1, host.jobs.length)];
        if (kind === 'add') {
          for (const one of [project, 'a', 'b']) host.add(one, isOdd ? LARGE : n);
        } else if (kind === 'begin') host.begin(isOdd ? project : null, n === 0 ? ' '.repeat(LARGE) : '[]');
        else if (job === undefined) continue;
        else if (kind === 'look') host.look(job, Math.min(job.events.length, job.progress + (n % 2)));
        else if (kind === 'answer') host.answer(job, (name) => isOdd && name === project, n);
        else if (kind === 'lose') host.lose(job, Math.min(n, job.events.length));
        else {
          const failed = [...host.failed];
          host.lose(job, null);
          expect(host.failed).toEqual(failed);
        }
        const lanes = [...host.threads.values()];
        expect(lanes.filter((niceness) => niceness === 0).length).toBeLessThanOrEqual(2 + MOST_AWAY);
        expect(lanes.filter((niceness) => niceness > 0).length).toBeLessThanOrEqual(1);
      }
      do {
        while (host.jobs[0] !== undefined) host.answer(host.jobs[0], () => false);
      } while (host.begin() !== null);
      expect([...host.decided, ...host.failed].toSorted()).toEqual(host.added.toSorted());
    }),
    { numRuns: 500 },
  );
});

test('however many jobs get stuck, few threads live at once, and each job has had its turn', () => {
  const host = world({ ...QUICK, threads: 1, jobEvents: 1 });
  for (let n = 0; n < 20; n++) host.add(`p${n}`);
  for (let n = 0; n < 20; n++) {
    const job = host.begin()!;
    expect(job.events).toMatchObject([{ id: `e${n}` }]);
    while (!job.lane.away.has(job)) host.look(job, 0);
    expect(host.threads.size).toBeLessThanOrEqual(MOST_AWAY);
  }
  expect(host.failed).toEqual(host.added.slice(0, 20 - MOST_AWAY));
});

test('a stuck job takes its project out of the quick lane, and those behind it in the job go on', () => {
  const host = world({ ...QUICK, threads: 1 });
  for (const project of ['a', 'slow', 'b', 'b']) host.add(project);
  const job = host.begin()!;
  host.add('slow');
  host.add('b');
  host.look(job, 1);
  host.look(job, 1);
  expect(job.groups.map(({ project }) => project)).toEqual(['a', 'slow']);
  const [next, slow] = [host.begin()!, host.begin()!];
  expect(next.events.map(({ id }) => id)).toEqual(['e2', 'e3', 'e5']);
  expect([slow.lane.niceness, slow.events.map(({ id }) => id)]).toEqual([SLOW.niceness, ['e4']]);
  for (const one of [job, next, slow]) host.answer(one, () => false);
  expect(host.decided).toEqual(['e0', 'e1', 'e2', 'e3', 'e5', 'e4']);
  expect([...host.threads.keys()]).toEqual([next.thread, slow.thread]);
});

test('a thread hangs when it has finished nothing for long, not when its job is long', () => {
  const host = world();
  for (let n = 0; n < 4; n++) host.add('a', 1);
  const job = host.begin()!;
  for (let looks = 0; looks < 20; looks++) host.look(job, Math.floor(looks / 5));
  expect([job.hasHung, host.jobs]).toEqual([false, [job]]);
  for (let looks = 0; looks < 2; looks++) host.look(job, 3);
  expect([job.hasHung, host.jobs, host.failed]).toEqual([true, [], ['e3']]);
  expect(host.begin()!.lane.niceness).toBe(SLOW.niceness);
});

test('large events, and projects that are slow or have large rules, have the slow lane', () => {
  const host = world();
  const laneOf = (project: string, units?: number): number => {
    host.add(project, units);
    const job = host.begin(null, project === 'rules' ? ' '.repeat(LARGE) : '[]')!;
    host.answer(job, () => false, project === 'slow' ? 100 : 0);
    return job.lane.niceness;
  };
  expect([laneOf('a'), laneOf('a', LARGE), laneOf('a')]).toEqual([0, SLOW.niceness, 0]);
  expect([laneOf('slow'), laneOf('slow')]).toEqual([0, SLOW.niceness]);
  expect([laneOf('rules'), laneOf('rules')]).toEqual([0, SLOW.niceness]);
  expect(host.schedule.averageMs('slow')).toBeGreaterThan(5);
});
