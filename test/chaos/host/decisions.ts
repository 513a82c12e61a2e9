/**
 * Compares each recorded decision with what the library decides by the rules of the version that is recorded with it.
 */
import { isDeepStrictEqual } from 'node:util';
import { compileRules, type RuleSet } from 'headgate';
import type { Versions } from './editor.js';
import type { StoredEvent } from './records.js';

/**
 * Rules that are older than this when an event comes in must not decide it; a process that misses a notice asks each
 * second.
 */
const STALE_MS = 5_000;

/** The parts of a decision that are recorded. */
interface Recorded {
  readonly outcome: string;
  readonly dropped_by: string | null;
  readonly matched: readonly string[];
  readonly tags: readonly string[];
  readonly endpoint_ids: readonly string[] | null;
  readonly projected: unknown;
}

export function judgeDecisions(events: readonly StoredEvent[], versions: Versions): readonly string[] {
  const compiled = new Map<number, RuleSet>();
  const answered = [...versions].map(([version, { at }]) => ({ version, at })).sort((a, b) => b.at - a.at);
  return events.flatMap((event) => {
    if (event.status === 'received') return [];
    const version = event.rules_version ?? -1;
    const known = versions.get(version);
    if (known === undefined) return [`${event.id}: decided by version ${version}, which nobody made`];
    const ruleSet = compiled.get(version) ?? compileRules(known.rules);
    compiled.set(version, ruleSet);
    const stale = answered.find(({ at }) => at < event.received_at - STALE_MS)?.version ?? 0;
    return [
      ...(version < stale ? [`${event.id}: decided by version ${version}, long after version ${stale}`] : []),
      ...differences(event, recordedOf(event), expectedOf(event, ruleSet)),
    ];
  });
}

function differences({ id }: StoredEvent, recorded: Recorded, expected: Recorded): readonly string[] {
  const keys = Object.keys(expected) as (keyof Recorded)[];
  return keys
    .filter((key) => !isDeepStrictEqual(recorded[key], expected[key]))
    .map(
      (key) =>
        `${id}: ${key} is ${JSON.stringify(recorded[key])}, decided was ${JSON.stringify(expected[key])}`,
    );
}

function recordedOf({ status, dropped_by, tags, decision, projected }: StoredEvent): Recorded {
  const { matched, endpoint_ids } = JSON.parse(decision ?? '{}') as {
    readonly matched: readonly { readonly id: string }[];
    readonly endpoint_ids: readonly string[] | null;
  };
  return {
    outcome: status === 'dropped' ? 'drop' : 'deliver',
    dropped_by,
    matched: matched.map(({ id }) => id),
    tags: JSON.parse(tags ?? '[]') as readonly string[],
    endpoint_ids,
    projected: projected === null ? null : (JSON.parse(projected) as unknown),
  };
}

function expectedOf(event: StoredEvent, ruleSet: RuleSet): Recorded {
  const asPersisted = {
    id: event.id,
    type: event.type,
    channel: { id: event.channel_id, type: 'webhook', name: event.channel_name },
    received_at: new Date(event.received_at).toISOString(),
    data: JSON.parse(event.data) as Readonly<Record<string, unknown>>,
    ...(event.raw_payload !== null && { raw_payload: JSON.parse(event.raw_payload) as unknown }),
    status: 'received',
    tags: [] as readonly string[],
  };
  const { outcome, droppedBy, matched, tags, endpointIds, event: projected } = ruleSet.evaluate(asPersisted);
  return {
    outcome,
    dropped_by: droppedBy?.id ?? null,
    matched: matched.map(({ id }) => id),
    tags,
    endpoint_ids: endpointIds,
    projected: projected.data === asPersisted.data ? null : projected.data,
  };
}
