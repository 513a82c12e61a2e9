/** The terminal output. */
import { type Options, SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { diffJson, explainMatch, type Decision, type Event, type Rule } from 'headgate';
import color from 'picocolors';
import type { Counts, EndpointCounts } from './implied.js';
import type { ReceiverName } from './project.js';

type Format = Extract<Options['format'], (...args: never) => unknown>;

/** Columns of the terminal; 0 if it does not say; undefined, in spite of its type, if there is no terminal. */
const { columns } = process.stdout;
/** Columns to write in: the usual 80 where nothing else is known. */
const width = columns > 0 ? Math.min(columns, 100) : 80;

export const print = (text: string): void => console.log(text);

/** Prints a sentence or nothing, broken where the terminal ends. */
export const say = (text = ''): void =>
  print(text.replace(new RegExp(`(.{1,${width}})( +|$)`, 'g'), '$1\n').trimEnd());

/** How far the deliveries are. */
export interface Standing {
  /** Deliveries that are delivered or failed. */
  readonly over: number;
  readonly attempts: number;
}

/** A bar that is full when every delivery is over. */
export interface Progress {
  readonly left: () => number;
  /** Goes on from what somebody else has counted. */
  readonly set: (standing: Standing) => void;
  readonly step: (isOver: boolean) => void;
  /** Says something between two lines of the bar. */
  readonly say: (text: string) => void;
  readonly stop: () => void;
}

export function startProgress(total: number): Progress {
  const began = performance.now();
  let [over, attempts] = [0, 0];
  const format: Format = (_options, { progress }) => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    const size = Math.max(Math.min(width - 46, 32), 4);
    const filled = '█'.repeat(Math.floor(progress * size));
    return `  ${color.cyan(filled.padEnd(size, '░'))} ${over}/${total} done, ${attempts} attempts, ${seconds} s`;
  };
  const bar = new SingleBar({ format, hideCursor: true, noTTYOutput: true, notTTYSchedule: 5_000 });
  bar.start(total, 0);
  const set = (standing: Standing): void => {
    ({ over, attempts } = standing);
    bar.update(over);
  };
  return {
    left: () => total - over,
    set,
    step: (isOver) => set({ over: over + Number(isOver), attempts: attempts + 1 }),
    say: (text) => {
      bar.stop();
      say(`  ${text}`);
      bar.start(total, over);
    },
    stop: () => bar.stop(),
  };
}

export const table = (head: readonly string[], numbersFrom: number): Table.Table =>
  new Table({
    head: [...head],
    // Plain text if the output is not a terminal.
    style: {
      head: color.isColorSupported ? ['cyan'] : [],
      border: color.isColorSupported ? ['gray'] : [],
      compact: true,
    },
    colAligns: head.map((_, column) => (column < numbersFrom ? 'left' : 'right')),
  });

/** A count, and what it should have been where it is not. */
export const cell = (actual: number, implied: number): string =>
  actual === implied ? String(actual) : color.red(`${actual} (not ${implied})`);

export function showRules(
  rules: readonly Pick<Rule, 'id' | 'name' | 'action'>[],
  actual: Counts['matched'],
  implied: Counts['matched'],
): void {
  const rows = table(['rule', 'action', 'matched'], 2);
  for (const { id, name, action } of rules) {
    rows.push([name, action.type, cell(actual[id] ?? 0, implied[id] ?? 0)]);
  }
  print(rows.toString());
}

/** Requests, and how many of them were repeats. */
export const requestsCell = (actual: number, implied: number): string =>
  actual > implied ? `${implied} + ${color.yellow(`${actual - implied} again`)}` : cell(actual, implied);

export function showEndpoints(actual: Counts['endpoints'], implied: Counts['endpoints']): void {
  const rows = table(['endpoint', 'delivered', 'failed', 'requests'], 1);
  for (const [name, counts] of Object.entries(actual) as [ReceiverName, EndpointCounts][]) {
    const expected = implied[name];
    rows.push([
      name,
      cell(counts.delivered, expected.delivered),
      cell(counts.failed, expected.failed),
      requestsCell(counts.requests, expected.requests),
    ]);
  }
  print(rows.toString());
}

const brief = (value: unknown, length = 56): string => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? '' : text.length > length ? `${text.slice(0, length - 1)}…` : text;
};

const MARKS = {
  held: color.green('held'),
  not_held: color.yellow('not held'),
  not_reached: color.gray('not reached'),
  undecided: color.red('undecided'),
};

/** The parts of a decision that are shown. */
export interface ShownDecision extends Pick<Decision, 'outcome' | 'tags'> {
  readonly matched: readonly Pick<Rule, 'name' | 'match'>[];
  readonly event: Pick<Event, 'data'>;
}

/** One decision: what matched, why, and what it changed; within 60 columns, wider where there is room. */
export function showDecision(event: Event, decision: ShownDecision): void {
  say(`${event.id}: ${decision.outcome}; tags ${brief(decision.tags)}; matched:`);
  for (const { name, match } of decision.matched) {
    const leaves = table([name, 'operator', 'event', ''], 4);
    const shown = explainMatch(match, event).leaves.filter(
      ({ present, result }) => present || result === 'held',
    );
    for (const { path, op, actual, result } of shown) {
      leaves.push([path, op, brief(actual, Math.max(Math.min(width - 54, 26), 8)), MARKS[result]]);
    }
    print(leaves.toString());
  }
  for (const { path, before, after } of diffJson(event.data, decision.event.data)) {
    say(`  ${path}`);
    print(color.red(`  - ${brief(before)}`));
    print(color.green(`  + ${brief(after)}`));
  }
}
