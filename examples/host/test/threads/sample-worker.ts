/** A worker whose jobs show what threads do. */
import { exit } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { compileMatch } from 'headgate';
import { Problem } from '../../src/errors/problem.js';
import type { JobContext } from '../../src/threads/messages.js';
import { serve } from '../../src/threads/serve.js';

/** An error that a pool may know; thrown by a job, and gone once it has crossed. */
class Away extends Error {
  override readonly name = 'Away';
}

const worker = (greeting: string) => {
  if (greeting === 'no greeting') throw new RangeError(greeting);
  return {
    greet: (name: string) => ({ text: `${greeting}, ${name}`, threadId }),
    async countTo(most: number, { tell, count }: JobContext<number>): Promise<void> {
      for (let i = 1; i <= most; i++) {
        tell(i);
        count();
        await sleep(0);
      }
    },
    /** Ends when it is told to, and says whether it heard both ways. */
    async wait(_: null, { tell, over, isOver }: JobContext<'began'>): Promise<boolean> {
      tell('began');
      while (!isOver()) await sleep(1);
      while (!over.aborted) await sleep(1);
      return true;
    },
    hasHeard: (_: null, { over, isOver }: JobContext): boolean => over.aborted || isOver(),
    spin(_: null, { tell }: JobContext<'began'>): never {
      tell('began');
      for (;;);
    },
    exit: () => exit(3),
    fail(kind: 'problem' | 'rule' | 'away' | 'other') {
      if (kind === 'problem') throw new Problem('conflict', 'twice', { retryAfter: 7 });
      if (kind === 'rule') compileMatch({ all: [] });
      throw kind === 'away' ? new Away('gone') : new TypeError('other');
    },
  };
};

export type SampleWorker = typeof worker;
serve(worker);
