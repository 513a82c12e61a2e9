/** Decides the stored events of a project again, by the rules that a caller gave. Runs in a thread. */
import { setImmediate as turn } from 'node:timers/promises';
import { compileRules, type Decision, type PatternOptions, type Rule, stringifyJson } from 'headgate';
import type { DatabaseOptions, Queries } from '../../db/index.js';
import { openReader } from '../../db/reader.js';
import { Problem } from '../../errors/problem.js';
import { newId } from '../../ids.js';
import { asksForRawPayload, eventForRules, type EventForRules } from '../../stored/event-json.js';
import type { JobContext } from '../../threads/messages.js';
import { checkedRule, invalidRule } from '../checking.js';
import { pagesOfPastEvents, type PastEvent } from '../past-events.js';
import type { ComparedDecision } from './groups.js';
import type { ComparedRules } from './routes.js';
import { type DecidedRow, SELECT_DECIDED } from './statements.js';
import { type ComparisonProgress, type GroupedIds, Tally } from './tally.js';

/** A comparison to run. */
export interface GivenComparison {
  readonly database: DatabaseOptions;
  readonly project: string;
  /** JSON of the saved rules, in evaluation order. */
  readonly saved: string;
  /** JSON of the rules to compare: see `createComparison`. */
  readonly asked: string;
  /** Unix ms; events received after the first, up to the second. */
  readonly from: number;
  readonly to: number;
  /** The work that rules may do on one event, as deciding has it; left out, the library's. */
  readonly patterns?: PatternOptions;
}

/** The result of a comparison. */
export interface EndedComparison {
  readonly scanned: number;
  readonly undecided: number;
  readonly limits: number;
  /** JSON of the groups. */
  readonly groups: string;
  readonly kept: readonly GroupedIds[];
  /**
   * When time ran out, the oldest event that was compared was received then, in Unix ms; null if all events were
   * compared.
   */
  readonly reached: number | null;
}

/** Between two calls of `tell`. */
const TELL_MS = 100;
/** Decisions that are read at once, and may be long. */
const CHUNK = 50;

export async function compareEvents(
  given: GivenComparison,
  { isOver, tell }: JobContext<ComparisonProgress>,
): Promise<EndedComparison> {
  const { project, from: after, to: until, patterns } = given;
  const rules = rulesOf(JSON.parse(given.saved) as Rule[], JSON.parse(given.asked) as ComparedRules);
  const set = compileRules(rules, patterns === undefined ? {} : { patterns });
  const reader = await openReader(given.database);
  const hasRawPayload = asksForRawPayload(stringifyJson(rules));
  const tally = new Tally();
  const counts = { undecided: 0, limits: 0 };
  let [reached, toldAt]: [number | null, number] = [null, Date.now()];
  for await (const page of pagesOfPastEvents(reader, { project, after, until, hasRawPayload })) {
    for (const [event, row] of await decidedOf(reader, project, page)) {
      if (isOver()) break;
      reached = event.receivedAt;
      if (row === undefined || row.status === 'received') {
        counts.undecided++;
        continue;
      }
      const read = eventForRules(event);
      const decision = set.evaluate(read);
      if (decision.limits.length > 0) counts.limits++;
      tally.take(event, decidedThen(event, row), decidedNow(event, read, decision));
    }
    tally.endPage();
    if (Date.now() - toldAt >= TELL_MS) {
      tell(tally.progress());
      toldAt = Date.now();
    }
    await turn();
    if (isOver()) return { ...counts, ...resultOf(tally), reached: reached ?? until };
  }
  return { ...counts, ...resultOf(tally), reached: null };
}

const resultOf = (tally: Tally) => ({
  scanned: tally.progress().scanned,
  groups: tally.groupsText(),
  kept: tally.kept(),
});

/** The events of a page with what was recorded of them; undefined for an event that retention has deleted meanwhile. */
async function decidedOf(
  queries: Pick<Queries, 'all'>,
  project: string,
  page: readonly PastEvent[],
): Promise<readonly (readonly [PastEvent, DecidedRow | undefined])[]> {
  const known = new Map<string, DecidedRow>();
  for (let i = 0; i < page.length; i += CHUNK) {
    const ids = page.slice(i, i + CHUNK).map(({ id }) => id);
    const rows = await queries.all<DecidedRow>(SELECT_DECIDED, [project, JSON.stringify(ids)]);
    for (const row of rows) known.set(row.id, row);
  }
  return page.map((event) => [event, known.get(event.id)]);
}

function decidedThen({ data }: PastEvent, row: DecidedRow): ComparedDecision {
  const ids = JSON.parse(row.endpoint_ids ?? 'null') as readonly string[] | null;
  return {
    outcome: row.status === 'dropped' ? 'drop' : 'deliver',
    droppedBy: row.dropped_by,
    tags: JSON.parse(row.tags ?? '[]') as readonly string[],
    endpointIds: ids?.map((one) => one.toLowerCase()) ?? null,
    data: row.projected ?? data,
  };
}

function decidedNow(
  { data }: PastEvent,
  read: EventForRules,
  { outcome, droppedBy, tags, endpointIds, event }: Decision<EventForRules>,
): ComparedDecision {
  return {
    outcome,
    droppedBy: droppedBy?.id ?? null,
    tags,
    endpointIds: endpointIds?.map((one) => one.toLowerCase()) ?? null,
    data: event.data === read.data ? data : stringifyJson(event.data),
  };
}

/**
 * The rules to compare.
 *
 * @throws Problem `invalid_rule`, `invalid_request`
 */
function rulesOf(
  saved: readonly Rule[],
  { changed = [], removed = [], rules }: ComparedRules,
): readonly Rule[] {
  if (rules !== undefined) return rules.map((rule, i) => checked(rule, `/rules/${i}`));
  const known = new Set(saved.map(({ id }) => id));
  const assertKnown = (id: string, pointer: string): void => {
    if (known.has(id)) return;
    const message = 'the project has no such rule';
    throw new Problem('invalid_request', `${pointer}: ${message}`, {
      issues: [{ code: 'invalid_value', pointer, message }],
    });
  };
  for (const [i, id] of removed.entries()) assertKnown(id, `/removed/${i}`);
  const edits = changed.map((rule, i) => {
    const edit = checked(rule, `/changed/${i}`);
    if (idOf(rule) !== undefined) assertKnown(edit.id, `/changed/${i}/id`);
    return edit;
  });
  const gone = new Set([...removed, ...edits.map(({ id }) => id)]);
  return [...saved.filter(({ id }) => !gone.has(id)), ...edits];
}

const idOf = (rule: unknown): unknown => (rule as { readonly id?: unknown } | null)?.id;

/** A rule that a caller gave, with its id or a new one. */
function checked(rule: unknown, pointer: string): Rule {
  const { document, enabled } = atPointer(pointer, () => checkedRule(rule));
  const given = idOf(rule);
  if (given !== undefined && typeof given !== 'string') {
    throw invalidRule([{ code: 'invalid_type', pointer: `${pointer}/id`, message: 'id must be a string' }]);
  }
  return { id: given ?? newId(Date.now()), ...document, enabled: enabled ?? true };
}

/** Issues of a rule point into the body of the request. */
function atPointer<Result>(pointer: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    const issues = error instanceof Problem ? error.details.issues : undefined;
    if (issues === undefined) throw error;
    throw invalidRule(issues.map((issue) => ({ ...issue, pointer: pointer + issue.pointer })));
  }
}
