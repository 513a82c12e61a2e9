/** The verdict on a run of chaos, tried on journals made by hand. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Evidence, judge, LEASE_MS, type Verdict } from './verdict.js';
import { evidenceOf, lives, reasonsIn } from './lives.js';

const problems = ({ lost, repeats, heldTwice, faults }: Verdict): readonly string[] => [
  ...lost,
  ...repeats.filter(({ reason }) => reason === null).map(({ key }) => key),
  ...heldTwice,
  ...faults,
];

/** The records of one delivery, `a`: one attempt failed, the next was accepted and never recorded, the last one was. */
const typical = (): Evidence =>
  evidenceOf([[{ ends: 'failed' }, { ends: 'killed after the POST', status: 204 }]]);

describe('what may happen', () => {
  test('is no problem, whatever it was', () => {
    fc.assert(
      fc.property(fc.array(lives(), { minLength: 1, maxLength: 5 }), (many) => {
        expect(problems(judge(evidenceOf(many)))).toEqual([]);
      }),
    );
  });

  test('attempts that were cut off are counted, and every repeat has its reason', () => {
    fc.assert(
      fc.property(lives(), (life) => {
        const { inFlightAtKills, repeats } = judge(evidenceOf([life]));
        const cut = life.filter(({ ends }) => ends === 'killed after the POST').length;
        expect({ inFlightAtKills, reasons: repeats.map(({ reason }) => reason) }).toEqual({
          inFlightAtKills: cut,
          reasons: reasonsIn(life),
        });
      }),
    );
  });

  test('a lease of the dead passes on when it ends', () => {
    expect(judge(typical()).longestTakeOverMs).toBe(LEASE_MS - 10);
    expect(judge(evidenceOf([[]])).longestTakeOverMs).toBeNull();
  });

  test.for([
    { ends: 'killed after the POST', status: 204, reason: 'killed', because: 'the receiver had it' },
    {
      ends: 'killed after the POST',
      status: null,
      reason: 'killed',
      because: 'the receiver may have taken it in',
    },
    {
      ends: 'killed after the POST',
      status: 503,
      reason: 'killed',
      because: 'the same attempt is made again',
    },
    { ends: 'answer lost', reason: 'answer lost', because: 'the sender saw a failure' },
    { ends: 'failed', reason: undefined, because: 'that is a retry' },
    { ends: 'killed before the POST', reason: undefined, because: 'nothing had been sent' },
  ] as const)(
    'an attempt that is $ends, answered $status, repeats for $reason, since $because',
    ({ reason, because: _, ...episode }) => {
      const life = evidenceOf([[episode]]);
      expect(judge(life).repeats.map((repeat) => repeat.reason)).toEqual(
        reason === undefined ? [] : [reason],
      );
    },
  );
});

/** A change to evidence that makes it that of a fault. */
interface Fault {
  readonly what: string;
  readonly plant: (evidence: Evidence) => Evidence;
  readonly found: RegExp;
}

const faults: readonly Fault[] = [
  {
    what: 'a delivery is recorded and was never sent',
    plant: (evidence) => ({ ...evidence, requests: [] }),
    found: /^a$/,
  },
  {
    what: 'a delivery is sent again after it was recorded',
    plant: (evidence) => {
      const last = evidence.requests.at(-1)!;
      return { ...evidence, requests: [...evidence.requests, { ...last, key: 'again', at: last.at + 1 }] };
    },
    found: /worker-2:3.key$/,
  },
  {
    what: 'a lease is given before the one of the dead has ended',
    plant: (evidence) => ({
      ...evidence,
      leases: evidence.leases.map((change, i) => (i === 3 ? { ...change, at: change.at - 1 } : change)),
    }),
    found: /^a: a-worker-2 got it 1 ms before the lease of a-worker-1 ended$/,
  },
  {
    what: 'an attempt begins while another process makes one',
    plant: (evidence) => ({
      ...evidence,
      witnesses: evidence.witnesses.map((witness) => ({
        ...witness,
        killedAt: witness.killedAt === null ? null : witness.killedAt + LEASE_MS,
      })),
    }),
    found: /^a: a-worker-2:3.key began before a-worker-1:2.key had ended$/,
  },
  {
    what: 'an attempt is never recorded',
    plant: (evidence) => ({
      ...evidence,
      witnesses: evidence.witnesses.map((witness) => ({ ...witness, killedAt: null })),
    }),
    found: /^a: a-worker-1:2.key was neither recorded nor given up$/,
  },
  {
    what: 'an attempt is not recorded for as long as a lease, and then its process is killed',
    plant: (evidence) => ({
      ...evidence,
      witnesses: evidence.witnesses.map((witness) => ({
        ...witness,
        killedAt: witness.killedAt === null ? null : witness.killedAt + LEASE_MS,
      })),
    }),
    found: /^a: a-worker-1:2.key was neither recorded nor given up$/,
  },
  {
    what: 'a record is taken under a lease that had passed on',
    plant: (evidence) => ({
      ...evidence,
      leases: evidence.leases.flatMap((change, i) =>
        i === 1 ? [{ ...change, lease: 'another' }, change] : [change],
      ),
    }),
    found: /^a: a-worker-1 settled it under a lease that had passed on$/,
  },
  {
    what: 'what nobody committed arrives',
    plant: (evidence) => ({ ...evidence, committed: new Set() }),
    found: /^a: arrived, but was never committed$/,
  },
  {
    what: 'what was committed is not in the store',
    plant: (evidence) => ({ ...evidence, stored: [] }),
    found: /^a: committed, but not stored$/,
  },
  {
    what: 'a delivery is left',
    plant: (evidence) => ({
      ...evidence,
      stored: evidence.stored.map((one) => ({ ...one, state: 'leased' })),
    }),
    found: /^a: is leased in the end$/,
  },
  {
    what: 'an attempt is recorded twice',
    plant: (evidence) => ({
      ...evidence,
      stored: evidence.stored.map((one) => ({ ...one, attempts: [...one.attempts, one.attempts.at(-1)!] })),
    }),
    found: /^a: 2 of its attempts succeeded$/,
  },
  {
    what: 'an answer is recorded that was not given',
    plant: (evidence) => ({
      ...evidence,
      requests: evidence.requests.map((request, i) =>
        i === 0 || i === 1 ? { ...request, status: null } : request,
      ),
    }),
    found: /^a: more answers are recorded than were given$/,
  },
  {
    what: 'an attempt is recorded that its process had not made',
    plant: (evidence) => ({
      ...evidence,
      witnesses: evidence.witnesses.map((witness) => ({
        ...witness,
        journal: witness.journal.map((line) => (line.is === 'settled' ? { ...line, key: 'none' } : line)),
      })),
    }),
    found: /recorded an attempt it had not made$/,
  },
];

describe('what must not happen', () => {
  test.for(faults)('$what: it is found', ({ plant, found }) => {
    expect(problems(judge(plant(typical())))).toContainEqual(expect.stringMatching(found));
  });

  test('a process whose lease has passed on may send late; one that still had it may not', () => {
    const evidence = typical();
    const last = evidence.requests.at(-1)!;
    const journal = (held: boolean) => [
      { at: 1, is: 'sending', key: 'late', delivery: 'a' } as const,
      { at: last.at + 9, is: 'settled', key: 'late', delivery: 'a', lease: 'old', held } as const,
    ];
    const reasonWhen = (held: boolean) =>
      judge({
        ...evidence,
        requests: [...evidence.requests, { ...last, key: 'late', at: last.at + 1 }],
        witnesses: [
          ...evidence.witnesses,
          { name: 'sleeper', killedAt: null, frozenAt: 1, clockWasSet: false, journal: journal(held) },
        ],
      }).repeats.at(-1)?.reason;
    expect([reasonWhen(false), reasonWhen(true)]).toEqual(['lease lost', null]);
  });
});
