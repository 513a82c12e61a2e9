/** Rules tried on past events, by the timers of the runtime. */
import { dryRun, type DryRunRule, type Event } from 'headgate';
import { type Checks, equal } from './checks.js';

const NOW = Date.UTC(2026, 0, 15);
const HOUR_MS = 3_600_000;

const event = (n: number): Event => ({
  id: `evt_${n}`,
  type: 'push',
  data: { n, ref: n % 3 === 0 ? 'refs/heads/main' : 'refs/tags/v1' },
  received_at: new Date(NOW - n * 1_000).toISOString(),
});

const rule: DryRunRule = {
  stage: 'deliver',
  match: { path: 'data.ref', op: 'matches', value: '^refs/heads/[a-z]+$' },
  action: { type: 'transform', ops: [{ op: 'redact', path: 'data.ref', regex: '[a-z]+$', replace: '…' }] },
};

const settings = { windowHours: 1, now: NOW };

/** The checks of dry-runs. */
export const dryRunChecks: Checks = {
  'a list of events': async () => {
    const events = Array.from({ length: 3_000 }, (_, n) => event(n));
    const { matched, scanned, undated, samples } = await dryRun(rule, events, settings);
    equal([matched, scanned, undated, samples.length], [1_000, 3_000, 0, 50], 'counts');
    equal(samples[0]?.id, 'evt_0', 'the first sample');
  },

  'an asynchronous source, with events outside of the window': async () => {
    async function* source(): AsyncGenerator<Event> {
      for (let n = 0; n < 7_200; n += 60) {
        if (n % 1_200 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        yield event(n);
      }
      yield { id: 'evt_x', type: 'push', data: {} };
    }
    const { matched, scanned, undated } = await dryRun(rule, source(), settings);
    equal([matched, scanned, undated], [60, 60, 1], 'counts');
  },

  'a histogram': async () => {
    const events = Array.from({ length: 3_600 }, (_, n) => event(n));
    const { histogram } = await dryRun(rule, events, { ...settings, buckets: 4 });
    equal(
      histogram?.map(({ matched, scanned }) => [matched, scanned]),
      Array.from({ length: 4 }, () => [300, 900]),
      'buckets',
    );
    equal(histogram?.[0]?.from, new Date(NOW - HOUR_MS).toISOString(), 'its start');
  },

  'a signal ends one whose source hangs': async () => {
    async function* source(): AsyncGenerator<Event> {
      yield event(0);
      await new Promise(() => undefined);
    }
    const aborting = new AbortController();
    const options = { ...settings, signal: aborting.signal, onAbort: 'report' } as const;
    const report = dryRun(rule, source(), options);
    setTimeout(() => aborting.abort(), 50);
    const { aborted, scanned } = await report;
    equal([aborted, scanned], [true, 1], 'the report so far');
  },

  'the event loop turns while it runs: a timer ends one that has no end': async () => {
    function* source(): Generator<Event> {
      for (;;) yield event(0);
    }
    const aborting = new AbortController();
    setTimeout(() => aborting.abort(), 1);
    const options = { ...settings, signal: aborting.signal, onAbort: 'report' } as const;
    equal((await dryRun(rule, source(), options)).aborted, true, 'aborted');
  },
};
