/** Whether the deliveries of each ordering key arrived in order, and one at a time. Pure, as the verdict is. */
import type { Line } from './journal.js';
import type { LeaseChange } from './sites/site.js';
import type { Evidence } from './verdict.js';

/** The rank of a delivery in the order of its key. */
export interface Rank {
  /** With its endpoint. */
  readonly key: string;
  /** Grows in the order in which the deliveries of the key were enqueued. */
  readonly number: number;
}

/** The rank of a delivery, by its id. */
export type RankOf = (delivery: string) => Rank;

/** @returns The faults, each as a sentence. */
export const disorder = (evidence: Evidence, rankOf: RankOf): readonly string[] => [
  ...overtaken(evidence, rankOf),
  ...sentTogether(evidence, rankOf),
  ...leasedTogether(evidence.leases, rankOf),
];

/** Deliveries that arrived for the first time after a later one of their key. */
function overtaken({ requests }: Evidence, rankOf: RankOf): readonly string[] {
  const seen = new Set<string>();
  const last = new Map<string, { readonly delivery: string; readonly number: number }>();
  return requests.flatMap(({ delivery }) => {
    if (seen.has(delivery)) return [];
    seen.add(delivery);
    const { key, number } = rankOf(delivery);
    const before = last.get(key);
    if (before === undefined || before.number < number) last.set(key, { delivery, number });
    const isLate = before !== undefined && before.number > number;
    return isLate ? [`${delivery}: arrived after ${before.delivery}`] : [];
  });
}

/** An attempt, as the process that made it wrote it down. */
interface Attempt {
  readonly delivery: string;
  readonly from: number;
  to: number;
}

function attemptsOf(journal: readonly Line[], killedAt: number | null): readonly Attempt[] {
  const byKey = new Map<string, Attempt>();
  for (const line of journal) {
    if (line.is === 'sending') {
      byKey.set(line.key, { delivery: line.delivery, from: line.at, to: killedAt ?? Infinity });
    }
    const ended = line.is === 'sent' ? byKey.get(line.key) : undefined;
    if (ended !== undefined) ended.to = line.at;
  }
  return [...byKey.values()];
}

/**
 * Attempts that began while one of another delivery of their key was under way. A process makes none once it is killed.
 */
function sentTogether({ witnesses }: Evidence, rankOf: RankOf): readonly string[] {
  const last = new Map<string, Attempt>();
  const all = witnesses.flatMap(({ journal, killedAt }) => attemptsOf(journal, killedAt));
  return all
    .sort((a, b) => a.from - b.from || a.to - b.to)
    .flatMap((attempt) => {
      const { key } = rankOf(attempt.delivery);
      const before = last.get(key);
      if (before === undefined || before.to <= attempt.to) last.set(key, attempt);
      const isTogether =
        before !== undefined && before.delivery !== attempt.delivery && attempt.from < before.to;
      return isTogether ? [`${attempt.delivery}: was sent while ${before.delivery} was under way`] : [];
    });
}

/** Deliveries that were leased while another one of their key was, by the account of the database. */
function leasedTogether(leases: readonly LeaseChange[], rankOf: RankOf): readonly string[] {
  const leased = new Map<string, string>();
  return leases.flatMap(({ delivery, lease }) => {
    const { key } = rankOf(delivery);
    const other = leased.get(key);
    if (lease !== null) leased.set(key, delivery);
    else if (other === delivery) leased.delete(key);
    const isTogether = lease !== null && other !== undefined && other !== delivery;
    return isTogether ? [`${delivery}: was leased while ${other} was`] : [];
  });
}
