/** The verdict on the order of keys, tried on evidence made by hand. */
import { describe, expect, test } from 'vitest';
import type { Line } from './journal.js';
import { disorder, type RankOf } from './order.js';
import type { Evidence } from './verdict.js';

/** Deliveries `k1`, `k2` … of key `k`, and `l1` … of key `l`. */
const rankOf: RankOf = (delivery) => ({ key: delivery[0]!, number: Number(delivery.slice(1)) });

/** One attempt after another, 10 ms each, at intervals of 20 ms. */
function evidenceOf(...deliveries: readonly string[]): Evidence {
  const journal = deliveries.flatMap((delivery, n): readonly Line[] => [
    { at: 20 * n, is: 'sending', key: `${n}`, delivery },
    { at: 20 * n + 10, is: 'sent', key: `${n}`, ok: true },
  ]);
  return {
    committed: new Set(deliveries),
    stored: [],
    requests: deliveries.map((delivery, n) => ({ key: `${n}`, delivery, at: 20 * n + 5, status: 204 })),
    leases: deliveries.flatMap((delivery, n) => [
      { delivery, lease: `${n}`, at: 20 * n },
      { delivery, lease: null, at: 20 * n + 11 },
    ]),
    witnesses: [{ name: 'w', killedAt: null, frozenAt: null, clockWasSet: false, journal }],
  };
}

describe('what may happen', () => {
  test.each([
    ['in order', ['k1', 'k2', 'k3']],
    ['with repeats, however late', ['k1', 'k1', 'k2', 'k1', 'k3', 'k2']],
    ['beside another key', ['k2', 'l1', 'k3', 'l2']],
    ['without some that failed for good before they were sent', ['k1', 'k7', 'k9']],
  ])('deliveries arrive %s', (_, deliveries) => {
    expect(disorder(evidenceOf(...deliveries), rankOf)).toEqual([]);
  });

  test('the attempt of a process that was killed is over', () => {
    const evidence = evidenceOf('k1', 'k2');
    const [{ journal }] = evidence.witnesses as [Evidence['witnesses'][number]];
    const [cut, , ...rest] = journal as [Line, Line, ...Line[]];
    const dead = { ...evidence.witnesses[0]!, killedAt: 15, journal: [cut] };
    const heir = { ...evidence.witnesses[0]!, name: 'heir', journal: rest };
    expect(disorder({ ...evidence, witnesses: [dead, heir] }, rankOf)).toEqual([]);
    const late = { ...dead, killedAt: 25 };
    expect(disorder({ ...evidence, witnesses: [late, heir] }, rankOf)).toEqual([
      'k2: was sent while k1 was under way',
    ]);
  });
});

describe('what must not happen is found', () => {
  test('a delivery arrives after a later one', () => {
    const { requests } = evidenceOf('k2', 'l1', 'k1');
    expect(disorder({ ...evidenceOf(), requests }, rankOf)).toEqual(['k1: arrived after k2']);
  });

  test('two deliveries of a key are sent at once, also beside a longer attempt', () => {
    const { witnesses } = evidenceOf('k1', 'k2', 'k3');
    const journal = witnesses[0]!.journal.filter((line) => !(line.is === 'sent' && line.key === '0'));
    expect(disorder({ ...evidenceOf(), witnesses: [{ ...witnesses[0]!, journal }] }, rankOf)).toEqual([
      'k2: was sent while k1 was under way',
      'k3: was sent while k1 was under way',
    ]);
  });

  test('two deliveries of a key are leased at once', () => {
    const leases = evidenceOf('k1', 'l1', 'k2').leases.filter((change) => change.at !== 11);
    expect(disorder({ ...evidenceOf(), leases }, rankOf)).toEqual(['k2: was leased while k1 was']);
  });
});
