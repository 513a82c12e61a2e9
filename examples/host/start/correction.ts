/**
 * A rule that dropped too much is corrected: a comparison says which stored events the corrected rule would deliver,
 * and exactly those are replayed and counted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Match } from 'headgate';
import { say } from '../../quickstart/screen.js';
import { allOf, type Api } from '../src/client/index.js';
import type { FirstProject } from './project.js';

/** The correction of a rule, and what came of it. */
export interface Correction {
  readonly rule: string;
  /** Events that were compared, and those of them that would be delivered. */
  readonly compared: number;
  readonly wouldBeDelivered: number;
  /** Deliveries that the replay made and that arrived. */
  readonly delivered: number;
  /** Everything that is wrong, as sentences. */
  readonly problems: readonly string[];
}

const TOO_STRICT = 'Drop test-mode payments';
/** Large charges are of interest in test mode, too. */
const SMALL: Match = { path: 'data.body.data.object.amount', op: 'lt', value: 100_000 };
const GROUP = 'would_be_delivered';
const LOOK_MS = 250;
const PATIENCE_MS = 60_000;

/** @param implied - Events that the corrected rule must let pass. */
export async function correctRule(
  api: Api,
  { id: project, rules }: FirstProject,
  implied: number,
): Promise<Correction> {
  const rule = rules.find(({ name }) => name === TOO_STRICT);
  if (rule === undefined) throw new Error(`the project has no rule ${TOO_STRICT}`);
  const match: Match = { all: [rule.match, SMALL] };
  const { id, scanned, groups } = await api.createComparison({
    project,
    body: { window_hours: 1, changed: [{ ...rule, match }] },
  });
  const compared = groups[GROUP];
  await api.updateRule({ project, rule: rule.id, body: { match } });
  const { replay } = await api.replayEvents({
    project,
    body: { comparison: { id, groups: [GROUP] }, rules: 'again' },
  });
  const made = replay === null ? [] : await deliveriesOf(api, project, replay.id);
  const delivered = made.filter(({ state }) => state === 'delivered').length;
  const [meant, sent] = [compared.samples, made].map((of) => [...new Set(of.map(idOf))].sort().join());
  const others = scanned - groups.same.events - compared.events;
  return {
    ...{ rule: rule.name, compared: scanned, wouldBeDelivered: compared.events, delivered },
    problems: [
      ...(compared.events === implied
        ? []
        : [`the comparison found ${compared.events} events, but ${implied} are implied`]),
      ...(others === 0 ? [] : [`${others} other events would be decided differently`]),
      ...(sent === meant ? [] : [`the replay sent ${sent}, not ${meant}`]),
      ...(delivered === implied ? [] : [`${delivered} replays arrived, of ${implied}`]),
    ],
  };
}

const idOf = (of: { readonly id: string } | { readonly event_id: string }): string =>
  'event_id' in of ? of.event_id : of.id;

/** The deliveries of a replay, once all have ended. */
async function deliveriesOf(api: Api, project: string, replay: string) {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    const { state, pending } = await api.getReplay({ project, replay });
    if (state === 'done' && pending === 0) break;
    await sleep(LOOK_MS);
  }
  return allOf(api.listDeliveries, { project, query: { redelivery: replay } });
}

export function tellCorrection({ rule, compared, wouldBeDelivered, delivered }: Correction): void {
  say();
  say('One rule, corrected');
  say(
    `'${rule}' also dropped large charges. Of all ${compared} events, the corrected rule would deliver ` +
      `${wouldBeDelivered} that were dropped, and decide every other one as before.`,
  );
  say(`It was saved, and exactly these ${wouldBeDelivered} events were replayed: ${delivered} arrived.`);
}
