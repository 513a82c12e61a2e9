/** How the databases read for lists: along an index, from a bound to a bound, sorted as the index is. */
import { describe, expect, test } from 'vitest';
import { idOf, PROJECT, storeMany } from '../../bench/lists/data.js';
import * as statements from '../../src/events/statements.js';
import * as bulk from '../../src/delivering/bulk/statements.js';
import * as replays from '../../src/delivering/replays/statements.js';
import { SELECT_LIVE_ENDPOINTS } from '../../src/delivering/statements.js';
import { PAGE_BYTES } from '../../src/api/page.js';
import { databases } from '../db/databases.js';
import { type Asked, openPlanning, type Planning, postgresPlans, sqlitePlan } from '../db/plan-reader.js';

const EVENTS = 20_000;
const [LOW, HIGH] = ['evt_', 'evt_~'];
const EVENT = idOf(11);
const IDS = JSON.stringify([EVENT, idOf(21), idOf(31)]);
const OBJECTS = JSON.stringify([{ id: EVENT }, { id: idOf(21) }]);
const FACTS = JSON.stringify([{ fact: 'tag:"even"' }, { fact: 'tag:"rare"' }]);

/** Statements by which events are chosen for a replay of many, and for its progress. */
const OF_REPLAYS: readonly Asked[] = [
  ['candidates', replays.SELECT_CANDIDATES, [PROJECT, IDS]],
  ['missed', replays.SELECT_MISSED, [OBJECTS, PROJECT, PROJECT]],
  ['decided endpoints', replays.SELECT_DECIDED_ENDPOINTS, [PROJECT, IDS]],
  ['bytes of replayed events', replays.SELECT_REPLAYED_BYTES, [IDS]],
  ['live endpoints', SELECT_LIVE_ENDPOINTS, [OBJECTS]],
  ['unfinished deliveries', bulk.COUNT_UNFINISHED, [PROJECT, 1_000]],
  ['progress', bulk.SELECT_PROGRESS, [PROJECT, PROJECT, 'replay']],
];

/** Every statement of events, with values such as it is given. */
const ASKED: readonly Asked[] = [
  ['all', statements.SELECT_IDS, [PROJECT, LOW, HIGH, 51]],
  ['oldest', statements.SELECT_OLDEST_IDS, [PROJECT, LOW, HIGH, 51]],
  ['bound of undecided', statements.SELECT_UNDECIDED_BOUND, [PROJECT, LOW, HIGH, 1_999]],
  ['undecided', statements.selectUndecided([]), [PROJECT, LOW, HIGH, 51]],
  [
    'undecided by type and channel',
    statements.selectUndecided(['type', 'channel_id']),
    [PROJECT, LOW, HIGH, 51, 'webhook.received', PROJECT],
  ],
  ['ends', statements.SELECT_ENDS, [PROJECT, LOW, HIGH, FACTS]],
  ['samples', statements.SELECT_SAMPLES, [PROJECT, LOW, HIGH, FACTS, 100]],
  ['postings', statements.SELECT_POSTINGS, [PROJECT, LOW, HIGH, 'tag:"even"', 99]],
  ['oldest postings', statements.SELECT_OLDEST_POSTINGS, [PROJECT, LOW, HIGH, 'tag:"even"', 99]],
  ['events with a fact', statements.selectWithFacts(1), [PROJECT, OBJECTS, 'tag:"odd"']],
  [
    'events with three facts',
    statements.selectWithFacts(3),
    [PROJECT, OBJECTS, 'tag:"odd"', 'status:processed', 'type:"webhook.received"'],
  ],
  ...(['failing', 'retrying'] as const).flatMap((trouble) =>
    (['asc', 'desc'] as const).map((order): Asked => [
      `deliveries in trouble: ${trouble} ${order}`,
      statements.selectTroubled(trouble, order),
      [PROJECT, LOW, HIGH, 100],
    ]),
  ),
  ['outcomes', statements.SELECT_SENT, [OBJECTS]],
  ['items', statements.SELECT_ITEMS, [PROJECT, IDS, PAGE_BYTES]],
  ['sizes', statements.SELECT_SIZES, [PROJECT, IDS]],
  ['persisted', statements.SELECT_PERSISTED, [PROJECT, IDS, 1]],
  ['event', statements.SELECT_EVENT, [EVENT, PROJECT]],
  ['bytes of an event', statements.SELECT_EVENT_BYTES, [EVENT, PROJECT]],
  ['head', statements.SELECT_HEAD, [EVENT, PROJECT]],
  ['deliveries', statements.SELECT_DELIVERIES, [EVENT, PROJECT, 100]],
  ['replays', statements.SELECT_REPLAYS, [EVENT, PROJECT, 100]],
  ['replies', statements.SELECT_REPLIES, [EVENT, PROJECT, 51, 'g', PAGE_BYTES]],
  ['series', statements.SELECT_SERIES, [PROJECT, 0, 30]],
  ['facts', statements.SELECT_FACTS, [PROJECT, 'tag:"', 'tag:"~', 50]],
  ['heads of batches', statements.SELECT_BATCH_HEADS, [JSON.stringify([PROJECT])]],
  ['batches', statements.SELECT_BATCHES, [PROJECT, JSON.stringify([{ slot: 1 }])]],
];

/** Statements that sort a page, of at most 201 rows, or the deliveries of one event. */
const CUT: ReadonlySet<string> = new Set(['items', 'outcomes', 'deliveries', 'replies']);
const SCAN_OF_PAGE = /^SCAN (?:\(subquery-\d+\)|sized|counted|s)$|^USE TEMP B-TREE FOR ORDER BY$/;

test('every statement is asked', () => {
  const written = Object.entries(statements).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const asked = new Set(ASKED.map(([, sql]) => sql));
  expect(written.filter(([, sql]) => !asked.has(sql)).map(([name]) => name)).toEqual([]);
});

describe('SQLite', () => {
  test('searches indexes, scans no table, and sorts nothing', async () => {
    const [sqlite] = databases();
    const db = await sqlite!.open();
    await db.get('select count(*) as n from events');
    for (const asked of [...ASKED, ...OF_REPLAYS]) {
      const [name] = asked;
      const bad = (await sqlitePlan(db, asked)).filter(
        (detail) =>
          /TEMP B-TREE(?! FOR GROUP BY)|^SCAN (?!json_each|rows|found|d$|s$|pending$|leased$|waiting$|failed$|unfinished$|counted$)/.test(
            detail,
          ) && !(CUT.has(name) && SCAN_OF_PAGE.test(detail)),
      );
      expect([name, bad]).toEqual([name, []]);
    }
  });
});

/** The index of deliveries under way is small: there are at most as many as slots. */
const UNDER_WAY = 'using deliveries_under_way';
/** Small tables are read at once: projects, replies, replays, batches. The sums of minutes may be sorted. */
const SMALL = new RegExp(`on (?:repl(?:ies|ays)|event_minutes)|${UNDER_WAY}`);

const depthOf = (line: string): number => line.search(/\S/);

/** The nodes below a node, and their conditions. */
function below(plan: readonly string[], i: number): readonly string[] {
  const rest = plan.slice(i + 1);
  const end = rest.findIndex((line) => line.includes('->') && depthOf(line) <= depthOf(plan[i]!));
  return end === -1 ? rest : rest.slice(0, end);
}

/** Nodes that read a whole table or index, or that sort what is not small. */
function badNodes(name: string, plan: readonly string[]): string[] {
  return plan.filter((line, i) => {
    if (/Seq Scan on (?:events|event_postings|event_payloads|deliveries)\b/.test(line)) return true;
    if (/\bSort\b(?! Key)/.test(line)) {
      return !CUT.has(name) && !below(plan, i).some((one) => SMALL.test(one));
    }
    const isScan = /Index (?:Only )?Scan/.test(line) && !line.includes(UNDER_WAY);
    return isScan && !(plan[i + 1] ?? '').includes('Index Cond');
  });
}

describe('Postgres', () => {
  const expectGoodPlans = async (planning: Planning): Promise<void> => {
    for (const asked of [...ASKED, ...OF_REPLAYS]) {
      const [name] = asked;
      for (const lines of await postgresPlans(planning, asked)) {
        expect([name, badNodes(name, lines), lines]).toEqual([name, [], lines]);
      }
    }
  };

  test('reads along indexes from bound to bound, and sorts nothing, with and without statistics', async () => {
    const planning = await openPlanning();
    await storeMany(planning.db, EVENTS);
    await expectGoodPlans(planning);
    await planning.client.query('analyze');
    await expectGoodPlans(planning);
  });
});
