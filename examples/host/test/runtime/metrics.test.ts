/** The metrics: the text that Prometheus reads, and what the counts are of. */
import { describe, expect, test } from 'vitest';
import { type Backlog, createMetrics } from '../../src/runtime/metrics.js';

const backlog: Backlog = { undecided: 3, oldestUndecidedMs: 1_500, due: 7, oldestDueMs: 250 };

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`;
// Prometheus reads numbers as Go does, which takes nan and inf in any case.
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?\\d[\\d.e+-]*|nan|[+-]inf)$`,
  'i',
);
const COMMENT = new RegExp(
  `^# (?:HELP ${NAME} .+|TYPE ${NAME} (?:counter|gauge|histogram|summary|untyped))$`,
);

/** Samples by `name{labels}`; throws at a line that is not of the text format. */
function parse(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.trimEnd().split('\n')) {
    if (line === '' || COMMENT.test(line)) continue;
    const [, name, labels, value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`no line of the text format: ${line}`);
    samples.set(labels === undefined ? name : `${name}{${labels}}`, Number(value));
  }
  return samples;
}

describe('metrics', () => {
  test('count what they are told', async () => {
    const metrics = createMetrics(() => Promise.resolve(backlog));
    metrics.ingested('accepted');
    metrics.ingested('accepted');
    metrics.ingested('invalid_json');
    metrics.committed(2, 4);
    metrics.decided('deliver', 20);
    metrics.decided('drop', 30);
    metrics.decideFailed(2);
    metrics.attempted('ok', 40, 5);
    metrics.attempted('timeout', 10_000, 5);
    metrics.finished('delivered');
    metrics.connected(1);
    metrics.connected(1);
    metrics.connected(-1);
    metrics.streamed(3);
    metrics.replied('stored');
    metrics.storeFailed('ingest');
    metrics.served({
      requestId: 'x',
      route: '/projects/{project}',
      method: 'GET',
      status: 200,
      ms: 12,
      actor: null,
    });
    const samples = parse(await metrics.text());
    const expected = {
      'headgate_ingest_requests_total{result="accepted"}': 2,
      'headgate_ingest_requests_total{result="invalid_json"}': 1,
      headgate_ingest_events_total: 2,
      'headgate_decisions_total{outcome="deliver"}': 1,
      'headgate_decisions_total{outcome="drop"}': 1,
      headgate_decision_lag_seconds_sum: 0.05,
      headgate_decision_failures_total: 2,
      'headgate_attempt_seconds_count{code="timeout"}': 1,
      'headgate_attempt_seconds_sum{code="ok"}': 0.04,
      'headgate_deliveries_total{state="delivered"}': 1,
      headgate_clients: 1,
      headgate_stream_lag_seconds_count: 1,
      'headgate_replies_total{result="stored"}': 1,
      'headgate_store_errors_total{module="ingest"}': 1,
      'headgate_http_request_seconds_count{method="GET",route="/projects/{project}",status="200"}': 1,
      headgate_undecided_events: 3,
      headgate_undecided_oldest_seconds: 1.5,
      headgate_due_deliveries: 7,
      headgate_due_oldest_seconds: 0.25,
    };
    for (const [name, value] of Object.entries(expected)) {
      expect([name, samples.get(name)]).toEqual([name, value]);
    }
  });

  test('answer while the database does not, with the backlog as it was last seen', async () => {
    let isAway = false;
    const metrics = createMetrics(() =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve(backlog),
    );
    await metrics.text();
    isAway = true;
    metrics.storeFailed('metrics');
    const samples = parse(await metrics.text());
    expect(samples.get('headgate_undecided_events')).toBe(3);
    expect(samples.get('headgate_store_errors_total{module="metrics"}')).toBe(1);
  });

  test('of two hosts in one process are apart', async () => {
    const [one, other] = [
      createMetrics(() => Promise.resolve(backlog)),
      createMetrics(() => Promise.resolve(backlog)),
    ];
    one.ingested('accepted');
    expect(await other.text()).not.toContain('result="accepted"');
  });

  test('the parser of this test refuses what is not of the format', () => {
    expect(() => parse('headgate_x{a=b} 1')).toThrow();
    expect(() => parse('headgate x 1')).toThrow();
  });
});
