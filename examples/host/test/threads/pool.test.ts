/** Pools: turns, time limits and signals of jobs, the threads that they leave behind, and the errors that cross. */
import { RuleError } from 'headgate';
import { expect, onTestFinished, test } from 'vitest';
import { Problem } from '../../src/errors/problem.js';
import { createPool, type Pool, ThreadLost } from '../../src/threads/index.js';
import type { PoolOptions } from '../../src/threads/pool.js';
import type { SampleWorker } from './sample-worker.js';

const ONE = { atOnce: 1, ofProject: 1, waiting: 2, allWaiting: 3, of: 'samples' };

/** The error of a pool that knows the worker's `Away` by its name; made by the pool, and gone with its test. */
class Away extends Error {
  constructor(cause: Error) {
    super('away', { cause });
  }
}

function openPool(options: Partial<PoolOptions<SampleWorker>> = {}): Pool<SampleWorker> {
  const pool = createPool<SampleWorker>({
    ...{ file: new URL('./sample-worker.js', import.meta.url), data: 'Hello', turns: ONE },
    ...options,
  });
  onTestFinished(() => pool.close());
  return pool;
}

const threadOf = async (pool: Pool<SampleWorker>) => (await pool.run('greet', 'thread')).threadId;

/** Starts a job that does not end on its own; resolves once it has begun. */
async function begin(pool: Pool<SampleWorker>, job: 'wait' | 'spin', signals: object = {}) {
  let result: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve) => {
    result = pool.run(job, null, { ...signals, told: () => resolve() });
    result.catch(() => undefined);
  });
  return { result };
}

test('a job returns its result and reports its progress', async () => {
  const pool = openPool();
  expect(await pool.run('greet', 'World')).toMatchObject({ text: 'Hello, World' });
  const told: number[] = [];
  await pool.run('countTo', 3, { told: (n) => told.push(n) });
  expect(told).toEqual([1, 2, 3]);
});

test('errors arrive as what they were, if the pool knows them, and the thread stays', async () => {
  const pool = openPool({ errors: { Away } });
  const before = await threadOf(pool);
  await expect(pool.run('fail', 'problem')).rejects.toMatchObject(
    new Problem('conflict', 'twice', { retryAfter: 7 }),
  );
  const invalid: unknown = await pool.run('fail', 'rule').catch((error: unknown) => error);
  expect(invalid).toBeInstanceOf(RuleError);
  expect(invalid).toMatchObject({ issues: [{ code: 'empty_group', pointer: '/all' }] });
  await expect(pool.run('fail', 'away')).rejects.toBeInstanceOf(Away);
  await expect(pool.run('fail', 'other')).rejects.toThrow('other');
  expect(await threadOf(pool)).toBe(before);
});

test('a thread whose worker makes no jobs is lost, and says why', async () => {
  const lost = openPool({ data: 'no greeting' }).run('greet', 'World');
  await expect(lost).rejects.toMatchObject({ name: 'ThreadLost', cause: { name: 'RangeError' } });
});

test('a job that takes too long ends with its thread, and the next one has another', async () => {
  const pool = openPool({ maxMs: 100, tooLong: () => new Error('too long') });
  const { result } = await begin(pool, 'spin');
  await expect(result).rejects.toThrow('too long');
  expect((await pool.run('greet', 'again')).text).toBe('Hello, again');
});

test('a job whose thread ends is lost, and the next one has another thread', async () => {
  await expect(openPool().run('exit', undefined)).rejects.toBeInstanceOf(ThreadLost);
  const pool = openPool({ lost: () => new Error('lost') });
  await expect(pool.run('exit', undefined)).rejects.toThrow('lost');
  expect((await pool.run('greet', 'again')).text).toBe('Hello, again');
});

test('a job that is to finish returns what it has', async () => {
  const finish = new AbortController();
  const pool = openPool();
  const { result } = await begin(pool, 'wait', { finish: finish.signal });
  finish.abort();
  expect(await result).toBe(true);
  expect(await pool.run('hasHeard', null)).toBe(false);
  expect(await openPool().run('wait', null, { finish: AbortSignal.abort() })).toBe(true);
});

test('an aborted job is told to end, and one that waits is dropped', async () => {
  const pool = openPool();
  const before = await threadOf(pool);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const { result } = await begin(pool, 'wait', { signal: running.signal });
  const next = pool.run('greet', 'nobody', { signal: waiting.signal });
  waiting.abort('left');
  await expect(next).rejects.toBe('left');
  running.abort('gone');
  await expect(result).rejects.toBe('gone');
  expect(await threadOf(pool)).toBe(before);
});

test('an aborted job whose thread is its own ends with it', async () => {
  const pool = openPool({ idleMs: 0 });
  const gone = new AbortController();
  const { result } = await begin(pool, 'spin', { signal: gone.signal });
  gone.abort('gone');
  await expect(result).rejects.toBe('gone');
  expect(await threadOf(pool)).not.toBe(await threadOf(pool));
});

test('an idle thread ends', async () => {
  const pool = openPool({ idleMs: 20 });
  const before = await threadOf(pool);
  await expect.poll(() => threadOf(pool), { interval: 50 }).not.toBe(before);
});

test('what is too much is refused, running jobs among it; closing rejects all others', async () => {
  const pool = openPool({ turns: { ...ONE, countsRunning: true } });
  const { result } = await begin(pool, 'spin', { project: 'a' });
  const more = ['a', 'a', 'b', 'c'].map((project) => pool.run('greet', '', { project }));
  const settled = Promise.allSettled([result, ...more]);
  await expect(more[1]).rejects.toMatchObject({ code: 'too_many_requests' });
  await expect(more[3]).rejects.toMatchObject({ code: 'overloaded' });
  await pool.close();
  await expect(pool.run('greet', 'late')).rejects.toMatchObject({ code: 'stopping' });
  const codes = (await settled).map((one) => (one.status === 'rejected' ? (one.reason as Problem).code : ''));
  expect(codes).toEqual(['stopping', 'stopping', 'too_many_requests', 'stopping', 'overloaded']);
});
